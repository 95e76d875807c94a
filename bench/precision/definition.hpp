// The precision family: what each number type costs in accuracy. It computes instead of timing.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::precision {

std::vector<Definition> definitions();

}  // namespace ridge::bench::precision
