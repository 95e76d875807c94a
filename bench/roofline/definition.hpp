// The roofline family: processor peaks, memory ceilings, a ladder of intensities, and six kernels placed under them.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::roofline {

std::vector<Definition> definitions();

}  // namespace ridge::bench::roofline
