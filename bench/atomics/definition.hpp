// The atomics family: counters shared by threads, and a word handed over.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::atomics {

std::vector<Definition> definitions();

}  // namespace ridge::bench::atomics
