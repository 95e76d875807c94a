// What `ridge explain gemm` says.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::gemm {

Explanation explanation_of_float();
Explanation explanation_of_int8();
Explanation explanation_of_ladder();
Explanation explanation_of_tf32();
Explanation explanation_of_fp8();
Explanation explanation_of_fp4();

}  // namespace ridge::bench::gemm
