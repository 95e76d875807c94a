// The reducescatter family.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::reducescatter {

std::vector<Definition> definitions();

}  // namespace ridge::bench::reducescatter
