// The Mann–Whitney U test: what the order of the runs alone says, whatever their distribution.
#pragma once

#include <span>

namespace ridge::study {

// One-sided p: the chance that `larger` lies so far above `smaller` in rank when both are drawn alike. Exact for up to
// 20 values a side, by counting the orders (Mann & Whitney 1947, recursion 2); a normal approximation with continuity
// correction beyond. A tie counts against the difference. Neither side is empty.
double rank_probability(std::span<const double> larger, std::span<const double> smaller);

}  // namespace ridge::study
