// The rules of a rule file put on the rows they match.
#include <fmt/format.h>

#include <algorithm>

#include "reports/compare/collect.hpp"

namespace ridge::compare {
namespace {

void apply(const Rule& rule, Row& row) {
  if (rule.better && *rule.better != row.series.better)
    throw RuleError(fmt::format("{}: {} is {}-is-better, the rule expects {}", rule.where, row.name(),
                                record::to_string(row.series.better), record::to_string(*rule.better)));
  auto& tolerance = row.series.tolerance;
  if (rule.tolerance) {
    tolerance.relative = *rule.tolerance;
    tolerance.learned = false;
    tolerance.source = rule.where;
  }
  if (rule.floor) {
    const auto factor = rule.floor->unit.empty() ? std::optional(1.0) : conversion(rule.floor->unit, row.unit);
    if (!factor)
      throw RuleError(
          fmt::format("{}: the floor is in {}, but {} is in {}", rule.where, rule.floor->unit, row.name(), row.unit));
    tolerance.absolute = rule.floor->value * *factor;
  }
  if (rule.gated) {
    row.gated = *rule.gated;
    if (!row.gated) row.notes.push_back("not gated: " + rule.reason);
  }
}

}  // namespace

void apply(const Rules& rules, std::vector<Row>& rows) {
  for (Row& row : rows) {
    auto& tolerance = row.series.tolerance;
    if (rules.tolerance) tolerance.relative = *rules.tolerance;
    if (row.unit == "ratio") tolerance.relative = std::min(tolerance.relative, ratio_tolerance);
  }
  for (const Rule& rule : rules.rules) {
    bool matched = false;
    for (Row& row : rows) {
      if (!matches(rule.pattern, row.name())) continue;
      matched = true;
      apply(rule, row);
    }
    if (!matched) throw RuleError(fmt::format("{}: '{}' matches no metric", rule.where, rule.pattern));
  }
}

}  // namespace ridge::compare
