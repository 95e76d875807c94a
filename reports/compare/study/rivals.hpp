// Other ways to judge the same runs: what the gate is compared with.
#pragma once

#include <span>

namespace ridge::study {

// Two-sided p of the Mann–Whitney U test, as scipy.stats.mannwhitneyu, which google/benchmark's compare.py uses.
double mann_whitney(std::span<const double> a, std::span<const double> b);

// google/benchmark's method, applied to a lower-is-better metric: p < 0.05 and the median rose.
bool mann_whitney_alarm(std::span<const double> base, std::span<const double> fresh);

// A plain threshold on the ratio of the medians: 0.05 or 0.10.
bool threshold_alarm(std::span<const double> base, std::span<const double> fresh, double threshold);

}  // namespace ridge::study
