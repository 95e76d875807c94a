// The access family: loads and stores by stride, offset and width.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::access {

std::vector<Definition> definitions();

}  // namespace ridge::bench::access
