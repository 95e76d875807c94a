// Power of the rule, as docs/method/gate.md derives it.
#include "reports/compare/detect.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "reports/compare/median.hpp"

namespace ridge::compare {

double Quantiles::operator()(double freedom) {
  const auto [found, fresh] = known_.try_emplace(freedom, 0.0);
  if (fresh)
    found->second = freedom < normal_from ? quantile(boost::math::students_t_distribution<>(freedom), probability_)
                                          : quantile(boost::math::normal_distribution<>(), probability_);
  return found->second;
}

double smallest_detectable(double tolerance, double critical, double one_sided, double error) {
  constexpr double veto = 1.1;  // what ranks, pooled tails and the one-sided pooling cost in power, by simulation
  return std::max(tolerance, veto * critical * error) + veto * one_sided * error;
}

double smallest_detectable(double noise, double freedom, std::size_t base, std::size_t fresh, std::size_t metrics,
                           double tolerance, double false_alarms, double drift) {
  const double error = noise * std::sqrt((median_variance(base) + median_variance(fresh)) * drift);
  Quantiles critical(1 - false_alarms / static_cast<double>(std::max<std::size_t>(metrics, 1)));
  Quantiles one_sided(power);
  return smallest_detectable(tolerance, critical(freedom), one_sided(freedom), error);
}

}  // namespace ridge::compare
