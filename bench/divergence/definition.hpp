// The divergence family: lanes of a warp on different paths.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::divergence {

std::vector<Definition> definitions();

}  // namespace ridge::bench::divergence
