// The comparison as OpenMetrics text (the format that Prometheus reads).
#include <fmt/format.h>

#include <functional>
#include <optional>

#include "reports/record/text.hpp"
#include "reports/verdicts/verdicts.hpp"
#include "reports/verdicts/words.hpp"

namespace ridge::verdicts {
namespace {

using compare::Comparison;
using compare::Row;

std::string label(const std::string& text) {
  std::string out;
  for (const char each : record::printable(text))
    out += each == '\\' ? "\\\\" : each == '"' ? "\\\"" : std::string(1, each);
  return out;
}

using Value = std::function<std::optional<double>(const Row&)>;

void family(std::string& out, const Comparison& comparison, const char* name, const char* help, const Value& value) {
  out += fmt::format("# TYPE {0} gauge\n# HELP {0} {1}\n", name, help);
  for (const Row& row : comparison.rows)
    if (const auto figure = value(row))
      out += fmt::format("{}{{id=\"{}\",metric=\"{}\"}} {}\n", name, label(row.id), label(row.metric), *figure);
}

}  // namespace

std::string openmetrics(const Comparison& comparison) {
  std::string out = fmt::format(
      "# TYPE ridge_gate_exit gauge\n# HELP ridge_gate_exit Exit status of the comparison, 0 when the gate passed.\n"
      "ridge_gate_exit {}\n"
      "# TYPE ridge_gate_different_machine gauge\n"
      "# HELP ridge_gate_different_machine 1 when the two sides were taken on different machines.\n"
      "ridge_gate_different_machine {}\n",
      static_cast<int>(comparison.exit()), comparison.other_machine ? 1 : 0);
  const auto when_judged = [](auto get) {
    return [get](const Row& row) -> std::optional<double> {
      if (!has_figures(row)) return std::nullopt;
      return get(row.judgement);
    };
  };
  using J = compare::Judgement;
  family(out, comparison, "ridge_gate_slowdown", "How much worse the metric became; negative is better.",
         when_judged([](const J& j) { return std::optional(j.slowdown); }));
  family(out, comparison, "ridge_gate_tolerance", "How much worse the metric may become.",
         when_judged([](const J& j) { return std::optional(j.tolerance); }));
  family(out, comparison, "ridge_gate_detectable", "Smallest slowdown that is caught in 95 % of comparisons.",
         when_judged([](const J& j) { return j.detectable; }));
  out += "# TYPE ridge_gate_verdict gauge\n# HELP ridge_gate_verdict Always 1; the verdict is a label.\n";
  for (const Row& row : comparison.rows)
    out += fmt::format("ridge_gate_verdict{{id=\"{}\",metric=\"{}\",gated=\"{}\",verdict=\"{}\"}} 1\n", label(row.id),
                       label(row.metric), row.gated, to_string(row.judgement.verdict));
  return out + "# EOF\n";
}

}  // namespace ridge::verdicts
