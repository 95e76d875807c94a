// The allreduce family.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::allreduce {

std::vector<Definition> definitions();

}  // namespace ridge::bench::allreduce
