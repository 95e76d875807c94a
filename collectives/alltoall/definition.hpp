// The alltoall family.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::alltoall {

std::vector<Definition> definitions();

}  // namespace ridge::bench::alltoall
