// The Mann–Whitney test as it is commonly used, and the plain threshold.
#include "reports/compare/study/rivals.hpp"

#include <algorithm>
#include <vector>

#include "reports/compare/median.hpp"
#include "reports/compare/study/rank.hpp"

namespace ridge::study {
namespace {

double middle(std::span<const double> values) {
  return compare::median_of({values.begin(), values.end()});
}

}  // namespace

double mann_whitney(std::span<const double> a, std::span<const double> b) {
  return std::min(1.0, 2 * std::min(rank_probability(a, b), rank_probability(b, a)));
}

bool mann_whitney_alarm(std::span<const double> base, std::span<const double> fresh) {
  return middle(fresh) > middle(base) && mann_whitney(base, fresh) < 0.05;
}

bool threshold_alarm(std::span<const double> base, std::span<const double> fresh, double threshold) {
  return middle(fresh) / middle(base) > 1 + threshold;
}

}  // namespace ridge::study
