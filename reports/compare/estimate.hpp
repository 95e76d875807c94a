// What the runs of a report say before any verdict: change, noise, tolerance of every metric, and what they share.
#pragma once

#include <span>
#include <vector>

#include "reports/compare/divisions.hpp"
#include "reports/compare/judge.hpp"
#include "reports/compare/moderation.hpp"

namespace ridge::compare {

inline constexpr double confidence = 0.95;

// What two sets of runs of one metric come to. All in logarithms, signed so that larger is worse.
struct Measure {
  double slowdown = 0;
  double noise = 0;    // standard deviation between runs; 0 when unknown
  double freedom = 0;  // of `noise`
  double error = 0;    // of `slowdown`
  double tolerance = 0;
  double threshold = 0;  // beyond which a single metric of this report is both worse than tolerated and significant
};

// All metrics of a report, with what pooling over them gave, ready to be measured as they were or divided otherwise.
class Estimates {
 public:
  // std::invalid_argument for a value that is not finite and positive.
  Estimates(std::span<const Series> all, const Settings& settings);

  [[nodiscard]] const std::vector<Measure>& measures() const { return measures_; }
  [[nodiscard]] const Pooled& pooled() const { return pooled_; }

  // Slowdown over threshold in every other division of the metric's runs; empty where none can reach 1, or when no
  // noise is known.
  [[nodiscard]] std::vector<double> elsewhere(std::size_t metric);

 private:
  struct Facts {  // of one metric, the same in every division
    Tolerance rule;
    std::size_t base = 0;
    std::size_t fresh = 0;
    double sizes = 0;     // variance of the difference of the medians for noise of variance 1
    double freedom = 0;   // of the noise, pooled
    double critical = 0;  // quantile of Student's t at the report's level
    double floor = 0;     // the rule's absolute one
  };
  [[nodiscard]] Measure measure(const Divided& divided, const Facts& facts) const;

  Settings settings_;
  Prior prior_;       // of the noise within both sides
  Prior base_prior_;  // within the baseline
  Pooled pooled_;
  std::vector<Facts> facts_;
  std::vector<Divisible> runs_;
  std::vector<Measure> measures_;
  Divisions divisions_;
};

}  // namespace ridge::compare
