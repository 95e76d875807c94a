// Median, quantiles and spread of a set of samples.
#include "bench/harness/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace ridge::bench {
namespace {

constexpr std::size_t spread_needs = 5;

double quantile_of_sorted(std::span<const double> sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::optional<double> quantile(std::span<const double> values, double q) {
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile_of_sorted(sorted, q);
}

std::optional<double> median(std::span<const double> values) {
  return quantile(values, 0.5);
}

record::Statistics summarise(std::span<const double> samples) {
  record::Statistics s;
  s.count = static_cast<std::int64_t>(samples.size());
  if (samples.empty()) return s;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const double n = static_cast<double>(sorted.size());
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
  s.median = quantile_of_sorted(sorted, 0.5);
  s.mean = mean;
  s.best = sorted.front();
  s.worst = sorted.back();
  if (sorted.size() < spread_needs) return s;
  const double squares = std::accumulate(sorted.begin(), sorted.end(), 0.0,
                                         [mean](double sum, double x) { return sum + (x - mean) * (x - mean); });
  s.stddev = std::sqrt(squares / (n - 1));
  s.iqr = quantile_of_sorted(sorted, 0.75) - quantile_of_sorted(sorted, 0.25);
  if (*s.median > 0) s.relative_spread = *s.iqr / *s.median;
  return s;
}

}  // namespace ridge::bench
