// The bandwidth family: one benchmark for each kernel of the STREAM family.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::bandwidth {

std::vector<Definition> definitions();

}  // namespace ridge::bench::bandwidth
