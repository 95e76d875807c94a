// The points that a benchmark's axes span on a device, once the machine has resolved what "all", "L1" and "memory"
// mean.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/harness/definition.hpp"
#include "bench/harness/inventory.hpp"

namespace ridge::bench {

struct Span {
  std::vector<record::Point> points;
  std::vector<std::string> notes;  // what was changed on the way: sizes rounded down to whole elements
};

// Every combination of the axes' values, first axis slowest. `expressions` overrides fallbacks. UsageError for bad
// values; where a suite asks (`by_suite`), a level that the machine does not have, or more threads than are usable,
// only leaves points out.
Span span_points(const Definition& definition, const device::Name& device, const Inventory& inventory,
                 const std::map<std::string, std::string>& expressions, bool by_suite = false);

// Bytes per array that put a working set of `arrays_factor` × size into the middle of a level (half of what the threads
// have of it, rounded down to a power of two), or for "memory" to at least 4 × the last level (rounded up). UsageError
// when the machine has no such level.
std::int64_t size_for_level(const Inventory& inventory, const std::string& level, int threads, double arrays_factor);

}  // namespace ridge::bench
