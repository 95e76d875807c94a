// The smallest change that a plan of runs can see, and the quantiles it is made of.
#pragma once

#include <cstddef>
#include <map>

namespace ridge::compare {

inline constexpr double power = 0.95;       // with which a change counts as detectable
inline constexpr double normal_from = 1e6;  // degrees of freedom from which on Student's t is the normal distribution

class Quantiles {  // of Student's t, one evaluation for each degree of freedom
 public:
  explicit Quantiles(double probability) : probability_(probability) {}
  double operator()(double freedom);

 private:
  double probability_;
  std::map<double, double> known_;
};

// The logarithm of the smallest slowdown that is caught with `power`: the alarm's threshold, and the estimate's
// uncertainty on top of it. `critical` and `one_sided` are quantiles of t: of the report's corrected level, of `power`.
double smallest_detectable(double tolerance, double critical, double one_sided, double error);

// The same for a plan: noise (of logarithms, with `freedom` degrees), runs on each side, metrics of the report.
double smallest_detectable(double noise, double freedom, std::size_t base, std::size_t fresh, std::size_t metrics,
                           double tolerance, double false_alarms, double drift);

}  // namespace ridge::compare
