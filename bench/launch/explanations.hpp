// What each benchmark of the family answers, by which formula, and what spoils it.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::launch {

Explanation explain_empty();
Explanation explain_steps();
Explanation explain_fork_join();

}  // namespace ridge::bench::launch
