// The fusion family: one benchmark for each pair, its side an axis.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::fusion {

std::vector<Definition> definitions();

}  // namespace ridge::bench::fusion
