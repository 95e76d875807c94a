// The fit of the prior, by the moments of the logarithms of the variances.
#include "reports/compare/moderation.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <vector>

namespace ridge::compare {
namespace {

using boost::math::digamma;
using boost::math::trigamma;

// E[log s²] − log σ² for d degrees of freedom.
double log_bias(double freedom) {
  return digamma(freedom / 2) - std::log(freedom / 2);
}

}  // namespace

double inverse_trigamma(double x) {
  if (x > 1e7) return 1 / std::sqrt(x);
  if (x < 1e-6) return 1 / x;
  double y = 0.5 + 1 / x;
  for (int i = 0; i < 50; ++i) {
    const double value = trigamma(y);
    const double step = value * (1 - value / x) / boost::math::polygamma(2, y);
    y += step;
    if (-step / y < 1e-8) break;
  }
  return y;
}

Prior fit_prior(std::span<const Spread> spreads) {
  std::vector<double> logs;
  double mean = 0;
  double expected = 0;  // of the variance of the logs, were all true variances equal
  double freedom = 0;
  double last_freedom = 0;
  double bias = 0;
  double noise = 0;
  for (const Spread& spread : spreads) {
    if (spread.freedom <= 0 || spread.variance <= 0) continue;
    if (spread.freedom != last_freedom) {
      last_freedom = spread.freedom;
      bias = log_bias(spread.freedom);
      noise = trigamma(spread.freedom / 2);
    }
    logs.push_back(std::log(spread.variance) - bias);
    mean += logs.back();
    expected += noise;
    freedom += spread.freedom;
  }
  if (logs.size() < 2) return {};
  const auto count = static_cast<double>(logs.size());
  mean /= count;
  expected /= count;
  double variance = 0;
  for (const double log : logs) variance += (log - mean) * (log - mean);
  variance /= count - 1;

  const double most = freedom * (count - 1) / count;
  const double excess = variance - expected;
  const double fitted = excess > 0 ? std::min(most, 2 * inverse_trigamma(excess)) : most;
  return {std::exp(mean + log_bias(fitted)), fitted};
}

double moderated(const Prior& prior, const Spread& spread) {
  return (prior.freedom * prior.variance + spread.freedom * spread.variance) / (prior.freedom + spread.freedom);
}

}  // namespace ridge::compare
