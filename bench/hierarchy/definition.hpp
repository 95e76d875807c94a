// The hierarchy family: what a load costs and how many bytes come, level by level.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::hierarchy {

std::vector<Definition> definitions();

}  // namespace ridge::bench::hierarchy
