// Summaries of samples.
#pragma once

#include <optional>
#include <span>

#include "reports/record/record.hpp"

namespace ridge::bench {

// The q-quantile (0 … 1) by linear interpolation between order statistics: Hyndman and Fan's type 7, as NumPy's
// default. Nothing of an empty set.
std::optional<double> quantile(std::span<const double> values, double q);
std::optional<double> median(std::span<const double> values);

// Of seconds per repetition, one per round. Spread is absent under 5 samples; stddev is that of a sample (n - 1).
record::Statistics summarise(std::span<const double> samples);

}  // namespace ridge::bench
