// The broadcast family.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::broadcast {

std::vector<Definition> definitions();

}  // namespace ridge::bench::broadcast
