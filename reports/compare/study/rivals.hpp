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

// The same with their settings free: how strongly each alarms, more being stronger, minus infinity where it would not
// at any. The ratio of the medians; the rise of the mean in standard deviations of the base (infinite where
// those are 0); −log p, where the median rose.
double threshold_strength(std::span<const double> base, std::span<const double> fresh);
double deviations_strength(std::span<const double> base, std::span<const double> fresh);
double mann_whitney_strength(std::span<const double> base, std::span<const double> fresh);

}  // namespace ridge::study
