// The Mann–Whitney test as it is commonly used, and the plain threshold.
#include "reports/compare/study/rivals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "reports/compare/median.hpp"
#include "reports/compare/study/rank.hpp"

namespace ridge::study {
namespace {

double middle(std::span<const double> values) {
  return compare::median_of({values.begin(), values.end()});
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

constexpr double never = -std::numeric_limits<double>::infinity();

}  // namespace

double mann_whitney(std::span<const double> a, std::span<const double> b) {
  return std::min(1.0, 2 * std::min(rank_probability(a, b), rank_probability(b, a)));
}

bool mann_whitney_alarm(std::span<const double> base, std::span<const double> fresh) {
  return middle(fresh) > middle(base) && mann_whitney(base, fresh) < 0.05;
}

bool threshold_alarm(std::span<const double> base, std::span<const double> fresh, double threshold) {
  return threshold_strength(base, fresh) > 1 + threshold;
}

double threshold_strength(std::span<const double> base, std::span<const double> fresh) {
  return middle(fresh) / middle(base);
}

double deviations_strength(std::span<const double> base, std::span<const double> fresh) {
  const double rise = mean(fresh) - mean(base);
  const double squares = compare::sum_of_squares(base);
  if (!(rise > 0)) return never;
  return rise / std::sqrt(squares / static_cast<double>(base.size() - 1));
}

double mann_whitney_strength(std::span<const double> base, std::span<const double> fresh) {
  return middle(fresh) > middle(base) ? -std::log(mann_whitney(base, fresh)) : never;
}

}  // namespace ridge::study
