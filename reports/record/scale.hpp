// One prefix for many numbers, where a unit stands once above a whole table.
#pragma once

#include <string>

#include "reports/record/unit.hpp"

namespace ridge::record {

struct Scale {
  double factor = 1;
  std::string unit;  // "GB/s"; empty for what has none
};

// The one that `human` takes for this value.
Scale scale_of(double value, Unit unit);

// "12.34" for 12.34e9 in GB/s.
std::string number(double value, const Scale& scale);

}  // namespace ridge::record
