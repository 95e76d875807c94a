// Medians by selection, and the table of their variances.
#include "reports/compare/median.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace ridge::compare {
namespace {

constexpr std::array<double, 20> normal_median_variance{1.0,     0.5,     0.44867, 0.2982,  0.28683, 0.21475, 0.21045,
                                                        0.16819, 0.1661,  0.13833, 0.13716, 0.11753, 0.1168,  0.10218,
                                                        0.10169, 0.09039, 0.09005, 0.08104, 0.08079, 0.07345};

}  // namespace

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double median_variance(std::size_t n) {
  if (n <= normal_median_variance.size()) return normal_median_variance[n - 1];
  return std::numbers::pi / (2 * static_cast<double>(n) + std::numbers::pi - 2);
}

double sum_of_squares(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

}  // namespace ridge::compare
