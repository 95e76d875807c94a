// The reduce family.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::reduce {

std::vector<Definition> definitions();

}  // namespace ridge::bench::reduce
