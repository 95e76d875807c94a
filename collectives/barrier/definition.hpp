// The barrier family.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::barrier {

std::vector<Definition> definitions();

}  // namespace ridge::bench::barrier
