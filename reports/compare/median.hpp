// The median of runs, and how much of a run's variance it keeps.
#pragma once

#include <span>
#include <vector>

namespace ridge::compare {

// The middle value, or the mean of the two middle ones. `values` is not empty; its order is lost.
double median_of(std::vector<double> values);

// Variance of the median of n independent normal values of variance 1; n ≥ 1. Up to 20 by integration of the order
// statistics' density (see docs/method/gate.md), beyond that π / (2n + π − 2), which is within 4 % from there on.
double median_variance(std::size_t n);

// Sum of squared deviations from the mean.
double sum_of_squares(std::span<const double> values);

}  // namespace ridge::compare
