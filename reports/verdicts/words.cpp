// Wording of figures and of the whole.
#include "reports/verdicts/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/compare/units.hpp"

namespace ridge::verdicts {

using compare::Comparison;
using compare::Row;
using compare::Verdict;

bool has_figures(const Row& row) {
  return row.judged;
}

double change(const Row& row) {
  return row.judgement.fresh / row.judgement.base - 1;
}

std::optional<std::pair<double, double>> interval(const Row& row) {
  const auto& j = row.judgement;
  if (!j.lower || !j.upper) return std::nullopt;
  if (row.series.better == record::Better::lower) return std::pair{*j.lower, *j.upper};
  return std::pair{1 / (1 + *j.upper) - 1, 1 / (1 + *j.lower) - 1};
}

std::string figure(double value, const std::string& unit) {
  if (const auto scale = compare::scale_of(unit))
    if (const auto si = record::unit_from(scale->dimension)) return record::human(value * scale->factor, *si);
  return fmt::format("{:.4g} {}", value, unit);
}

std::string signed_percent(double share) {
  const double percent = 100 * share;
  return std::abs(percent) < 0.05 ? "0.0 %" : fmt::format("{:+.1f} %", percent);
}

std::string percent(double share) {
  if (share > 10) return "over 1000 %";
  return fmt::format("{:.{}f} %", 100 * share, share < 0.1 ? 1 : 0);
}

std::string interval_text(const Row& row) {
  const auto ends = interval(row);
  if (!ends) return "unknown";
  if (ends->second > 10) return fmt::format("[{:+.1f}, over +1000] %", 100 * ends->first);
  return fmt::format("[{:+.1f}, {:+.1f}] %", 100 * ends->first, 100 * ends->second);
}

std::string explanation(const Row& row) {
  std::string text = row.judgement.reason;
  for (const auto& note : row.notes) text += (text.empty() ? "" : "; ") + note;
  return text;
}

std::string verdict_text(const Row& row) {
  std::string text(to_string(row.judgement.verdict));
  if (row.judgement.uniform_shift && row.judgement.verdict == Verdict::regressed) text += " (uniform shift)";
  if (!row.gated) text += " (not gated)";
  return text;
}

bool fails(const Row& row, bool strict) {
  if (!row.gated) return false;
  switch (row.judgement.verdict) {
    case Verdict::regressed:
    case Verdict::missing:
    case Verdict::not_comparable:
    case Verdict::invalid:
      return true;
    case Verdict::undecided:
      return strict;
    default:
      return false;
  }
}

std::string headline(const Comparison& comparison) {
  std::string text;
  for (const Verdict verdict : {Verdict::regressed, Verdict::missing, Verdict::invalid, Verdict::not_comparable,
                                Verdict::undecided, Verdict::improved, Verdict::added, Verdict::same})
    if (const auto count = comparison.count(verdict); count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(verdict));
  const auto aside =
      std::count_if(comparison.rows.begin(), comparison.rows.end(), [](const Row& row) { return !row.gated; });
  if (aside > 0) text += fmt::format("{}{} not gated", text.empty() ? "" : ", ", aside);
  if (text.empty()) text = "nothing to compare";
  return (comparison.exit() == record::Exit::success ? "passed: " : "FAILED: ") + text;
}

std::string capability(const Comparison& comparison) {
  double least = INFINITY;
  double most = 0;
  std::size_t judged = 0;
  std::size_t together = 0;
  for (const Row& row : comparison.rows) {
    if (!row.judged || !row.gated) continue;
    ++judged;
    together += row.together.size();
    if (!row.judgement.detectable) continue;
    least = std::min(least, *row.judgement.detectable);
    most = std::max(most, *row.judgement.detectable);
  }
  std::string text = fmt::format("{} baseline run{}, {} new", comparison.base.sources.size(),
                                 comparison.base.sources.size() == 1 ? "" : "s", comparison.fresh.sources.size());
  if (judged == 0) return text;
  if (most <= 0) return text + "; no spread known: how often this gate is wrong is not known";
  text +=
      fmt::format("; false alarms {} over {} metric{}{}; sees slowdowns of {}",
                  percent(comparison.settings.false_alarms), judged, judged == 1 ? "" : "s",
                  together > 0 ? fmt::format(" (and {} that are functions of these)", together) : "", percent(least));
  return percent(least) == percent(most) ? text : text + " to " + percent(most);
}

}  // namespace ridge::verdicts
