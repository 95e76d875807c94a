// The launch family: empty kernels, and fork and join of a team of threads.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::launch {

std::vector<Definition> definitions();

}  // namespace ridge::bench::launch
