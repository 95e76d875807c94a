// The allgather family.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::allgather {

std::vector<Definition> definitions();

}  // namespace ridge::bench::allgather
