// The texts of `ridge explain hierarchy`.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::hierarchy {

Explanation explain_latency();
Explanation explain_pages();
Explanation explain_parallelism();
Explanation explain_bandwidth();
Explanation explain_shared_latency();
Explanation explain_shared_bandwidth();
Explanation explain_in_flight();

}  // namespace ridge::bench::hierarchy
