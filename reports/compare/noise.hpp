// Repeated runs of the same thing: how noisy each metric is, and whether a gate on it can mean anything.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/compare/align.hpp"
#include "reports/compare/judge.hpp"

namespace ridge::compare {

struct Noise {
  std::string id;
  std::string metric;
  std::string unit;
  std::size_t runs = 0;
  double median = 0;
  std::optional<double> within;      // relative standard deviation of the samples inside a run, median over runs
  std::optional<double> between;     // relative standard deviation between runs, as seen
  std::optional<double> moderated;   // the same with what the other metrics say
  std::optional<double> drift;       // the later quarter of the runs against the earlier ones, as slowdown
  double tolerance = 0;              // the rule's or the floor's, as slowdown; not learned
  std::optional<double> detectable;  // as slowdown, with 95 % power
  bool gateable = false;
  std::string reason;  // why not
};

struct NoiseReport {
  std::vector<Noise> metrics;
  std::size_t base = 0;   // the plan: as many baseline runs as were looked at
  std::size_t fresh = 3;  // and this many new ones
  double drift = 1;       // inflation of variances, over all metrics
};

// A metric is gateable when a slowdown of twice its tolerance would be caught in 95 % of comparisons under the plan.
NoiseReport noise(std::span<const Run> runs, const Rules& rules, const Settings& settings, std::size_t fresh);

}  // namespace ridge::compare
