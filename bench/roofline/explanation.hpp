// What `ridge explain roofline` says.
#pragma once

#include "bench/roofline/points.hpp"

namespace ridge::bench::roofline {

Explanation explanation(Kind kind);

// A bandwidth kernel's text with its place on the roofline; `operations` where it has a rate of its own.
Explanation borrowed_explanation(const Explanation& of_bandwidth, bool operations);

}  // namespace ridge::bench::roofline
