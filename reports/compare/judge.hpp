// The rule of docs/method/gate.md: is a metric worse by more than its tolerance, and is that more than chance?
#pragma once

#include <span>
#include <vector>

#include "reports/compare/series.hpp"

namespace ridge::compare {

// Facts that all metrics of a report share.
struct Pooled {
  double prior_variance = 0;  // of log values between runs
  double prior_freedom = 0;
  double drift = 1;  // ≥ 1: how much the order of the baseline's runs inflates the variance of a difference
  std::optional<double> shift;  // everything moved by this slowdown together
};

struct Judged {
  std::vector<Judgement> judgements;  // in the order of the series
  Pooled pooled;
};

// Judges every series within the whole: a series' verdict depends on the number and the noise of the others. Both sides
// of each series hold at least one value. std::invalid_argument for a value that is not finite and positive.
Judged judge(std::span<const Series> series, const Settings& settings);

}  // namespace ridge::compare
