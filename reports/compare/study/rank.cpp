// The distribution of U by recursion.
#include "reports/compare/study/rank.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <vector>

namespace ridge::study {
namespace {

constexpr std::size_t exact = 20;

// counts[u]: how many of the orders of m and n values have the statistic u, by the column recursion
// N(u; m, n) = N(u − n; m − 1, n) + N(u; m, n − 1): the largest value belongs to the first sample or to the second.
std::vector<double> counts(std::size_t m, std::size_t n) {
  std::vector<std::vector<double>> row(n + 1, {1.0});  // of 0 values in the first sample
  for (std::size_t i = 1; i <= m; ++i)
    for (std::size_t j = 1; j <= n; ++j) {
      std::vector<double> next(i * j + 1, 0.0);
      for (std::size_t u = 0; u < row[j].size(); ++u) next[u + j] += row[j][u];
      for (std::size_t u = 0; u < row[j - 1].size(); ++u) next[u] += row[j - 1][u];
      row[j] = std::move(next);
    }
  return row[n];
}

}  // namespace

double rank_probability(std::span<const double> larger, std::span<const double> smaller) {
  std::size_t u = 0;
  for (const double x : larger)
    u += static_cast<std::size_t>(std::count_if(smaller.begin(), smaller.end(), [&](double y) { return x > y; }));
  const auto m = static_cast<double>(larger.size());
  const auto n = static_cast<double>(smaller.size());
  if (larger.size() > exact || smaller.size() > exact) {
    const double score = (static_cast<double>(u) - 0.5 - m * n / 2) / std::sqrt(m * n * (m + n + 1) / 12);
    return cdf(complement(boost::math::normal_distribution<>(), score));
  }
  const auto orders = counts(larger.size(), smaller.size());
  double all = 0;
  double above = 0;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    all += orders[i];
    if (i >= u) above += orders[i];
  }
  return above / all;
}

}  // namespace ridge::study
