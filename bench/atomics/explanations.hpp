// What each benchmark of the family answers, by which formula, and what spoils it.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::atomics {

Explanation explain_add();
Explanation explain_cas();
Explanation explain_shared();
Explanation explain_handover();

}  // namespace ridge::bench::atomics
