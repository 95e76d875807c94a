// The transfer family: how fast bytes move between the host and a GPU, and from one GPU to another.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::transfer {

std::vector<Definition> definitions();

}  // namespace ridge::bench::transfer
