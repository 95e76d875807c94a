// The comparison as GitHub workflow commands: annotations of a job.
#include <fmt/format.h>

#include "reports/record/text.hpp"
#include "reports/verdicts/verdicts.hpp"
#include "reports/verdicts/words.hpp"

namespace ridge::verdicts {
namespace {

using compare::Row;
using compare::Verdict;

// After the runner's own escaping: % in data, and , and : in properties too. Line breaks are spelled out before.
std::string data(const std::string& text) {
  std::string out;
  for (const char each : record::printable(text)) out += each == '%' ? "%25" : std::string(1, each);
  return out;
}

std::string property(const std::string& text) {
  std::string out;
  for (const char each : data(text)) out += each == ':' ? "%3A" : each == ',' ? "%2C" : std::string(1, each);
  return out;
}

std::string message(const Row& row) {
  std::string text = row.name();
  if (has_figures(row))
    text += fmt::format(": {} -> {}, {} (95 % {}), tolerance {}", figure(row.judgement.base, row.unit),
                        figure(row.judgement.fresh, row.unit), signed_percent(change(row)), interval_text(row),
                        percent(row.judgement.tolerance));
  const auto why = explanation(row);
  return why.empty() ? text : text + "; " + why;
}

}  // namespace

std::string github(const compare::Comparison& comparison) {
  std::string out;
  for (const auto& note : comparison.notes) out += fmt::format("::warning title=ridge gate::{}\n", data(note));
  for (const auto& each : comparison.differences)
    out += fmt::format("::{} title=ridge gate%3A the machines differ::{}\n",
                       each.tier == record::Tier::identity ? "error" : "warning",
                       data(fmt::format("{}: {} in the baseline, {} now", each.field, each.a.value_or("unknown"),
                                        each.b.value_or("unknown"))));
  for (const Row& row : comparison.rows) {
    const char* level = fails(row, comparison.strict) ? "error" : nullptr;
    if (level == nullptr && row.gated && row.judgement.verdict == Verdict::undecided) level = "warning";
    if (level == nullptr && row.gated && row.judgement.verdict == Verdict::improved) level = "notice";
    if (level != nullptr)
      out += fmt::format("::{} title=ridge gate%3A {}::{}\n", level, property(verdict_text(row)), data(message(row)));
  }
  const bool passed = comparison.exit() == record::Exit::success;
  return out + fmt::format("::{} title=ridge gate::{}\n", passed ? "notice" : "error", data(headline(comparison)));
}

}  // namespace ridge::verdicts
