// What `ridge explain gemm` says.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::gemm {

Explanation explanation_of_float();
Explanation explanation_of_int8();
Explanation explanation_of_ladder();

}  // namespace ridge::bench::gemm
