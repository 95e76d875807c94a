// The sendrecv family.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::sendrecv {

std::vector<Definition> definitions();

}  // namespace ridge::bench::sendrecv
