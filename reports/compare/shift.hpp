// Everything moved together: a sign of the machine or its clock rather than of any one benchmark.
#pragma once

#include <optional>
#include <span>

namespace ridge::compare {

struct Moved {
  double slowdown = 0;   // log
  double error = 0;      // its standard error; 0 when unknown
  double tolerance = 0;  // log
};

// Whether one metric's movement is the common one: the same direction, and off it by at most half of it, or by what its
// noise explains.
bool moves_with(const Moved& moved, double shift);

// The median movement, when there are at least 5 metrics, it is more than half of the median tolerance, and at least
// 80 % of them move with it.
std::optional<double> uniform_shift(std::span<const Moved> all);

}  // namespace ridge::compare
