// Metrics of one case that say the same: judged once, so that multiple comparisons are paid for once.
#include <cmath>

#include "reports/compare/collect.hpp"

namespace ridge::compare {
namespace {

// Time and bytes per time, algorithm and bus bandwidth: their costs differ by the same factor in every run of both
// sides. Where the factor changed between the sides, the work did, and each metric has something of its own to say.
bool function_of(const Row& row, const Row& leader) {
  constexpr double rounding = 1e-9;
  const auto cost = [](const Row& of, double value) {
    return of.series.better == record::Better::higher ? 1 / value : value;
  };
  const double factor = cost(row, row.series.base.front()) / cost(leader, leader.series.base.front());
  const auto constant = [&](const std::vector<double>& values, const std::vector<double>& others) {
    if (values.size() != others.size()) return false;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::abs(cost(row, values[i]) / cost(leader, others[i]) / factor - 1) > rounding) return false;
    return true;
  };
  return constant(row.series.base, leader.series.base) && constant(row.series.fresh, leader.series.fresh);
}

// A rule for one of them alone makes it a question of its own.
bool same_rules(const Row& a, const Row& b) {
  const Tolerance& x = a.series.tolerance;
  const Tolerance& y = b.series.tolerance;
  return a.gated == b.gated && x.relative == y.relative && x.learned == y.learned && x.absolute == 0 && y.absolute == 0;
}

}  // namespace

void fold(std::vector<Row>& rows) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row* leader = nullptr;
    for (std::size_t k = kept; rows[i].judged && leader == nullptr && k > 0 && rows[k - 1].id == rows[i].id; --k)
      if (rows[k - 1].judged && same_rules(rows[k - 1], rows[i]) && function_of(rows[i], rows[k - 1]))
        leader = &rows[k - 1];
    if (leader != nullptr) {
      leader->together.push_back(std::move(rows[i].metric));
      continue;
    }
    if (kept != i) rows[kept] = std::move(rows[i]);
    ++kept;
  }
  rows.resize(kept);
}

}  // namespace ridge::compare
