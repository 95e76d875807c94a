// The comparison for a job summary.
#include <fmt/format.h>

#include "reports/record/text.hpp"
#include "reports/verdicts/verdicts.hpp"
#include "reports/verdicts/words.hpp"

namespace ridge::verdicts {
namespace {

using compare::Comparison;
using compare::Row;
using compare::Verdict;

// Text in a cell or a line: nothing in it is markup.
std::string plain(const std::string& text) {
  std::string out;
  for (const char each : record::printable(text)) {
    if (each == '<')
      out += "&lt;";
    else if (each == '>')
      out += "&gt;";
    else if (each == '&')
      out += "&amp;";
    else if (std::string_view("\\`*_{}[]()#|~!@").find(each) != std::string_view::npos)
      out += std::string("\\") + each;
    else
      out += each;
  }
  return out;
}

std::string line(const Row& row) {
  if (!has_figures(row))
    return fmt::format("| {} | {} | | | | | | {} |\n", plain(verdict_text(row)), plain(row.name()),
                       plain(explanation(row)));
  const auto& j = row.judgement;
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", plain(verdict_text(row)), plain(row.name()),
                     plain(figure(j.base, row.unit)), plain(figure(j.fresh, row.unit)), signed_percent(change(row)),
                     plain(interval_text(row)), percent(j.tolerance), plain(explanation(row)));
}

constexpr const char* heading =
    "| verdict | metric | baseline | new | change | 95 % interval | tolerance | |\n"
    "|---|---|--:|--:|--:|--:|--:|---|\n";

}  // namespace

std::string markdown(const Comparison& comparison) {
  std::string out = "### Ridge gate " + plain(headline(comparison)) + "\n\n";
  for (const auto& note : comparison.notes) out += "> " + plain(note) + "\n\n";
  if (!comparison.differences.empty()) {
    out += "| the machines differ | tier | baseline | new |\n|---|---|---|---|\n";
    for (const auto& each : comparison.differences)
      out += fmt::format("| {} | {} | {} | {} |\n", plain(each.field), to_string(each.tier),
                         plain(each.a.value_or("unknown")), plain(each.b.value_or("unknown")));
    out += "\n";
  }
  std::string changed;
  std::string same;
  for (const Row& row : comparison.rows) (row.judgement.verdict == Verdict::same ? same : changed) += line(row);
  if (!changed.empty()) out += heading + changed + "\n";
  if (!same.empty())
    out += fmt::format("<details><summary>{} unchanged</summary>\n\n{}{}\n</details>\n\n",
                       comparison.count(Verdict::same), heading, same);
  return out + plain(capability(comparison)) + "\n";
}

}  // namespace ridge::verdicts
