// What `ridge explain` says of the family.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::access {

Explanation explain_stride();
Explanation explain_offset();
Explanation explain_width();
Explanation explain_random();
Explanation explain_layout();
Explanation explain_pages();
Explanation explain_banks();
Explanation explain_transpose();

}  // namespace ridge::bench::access
