// What the definitions are prepared by, one function for each kind of device, and what a point says.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::hierarchy {

// Loads of one repetition of a chase, all chains together: so many that starting it is nothing, and few enough that the
// memory level needs some milliseconds.
inline constexpr std::int64_t cpu_loads = 16384;

// 1 where the point has no such axis.
std::int64_t chains_of(const record::Point& point);
// Whole lines of `size`.
std::int64_t lines_of(const record::Point& point);

std::unique_ptr<Case> prepare_chase_cpu(CpuContext& context, const record::Point& point);

}  // namespace ridge::bench::hierarchy
