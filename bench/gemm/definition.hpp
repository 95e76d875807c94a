// The gemm family: rates of matrix products by number type, shape, layout and who computes them.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::gemm {

std::vector<Definition> definitions();

}  // namespace ridge::bench::gemm
