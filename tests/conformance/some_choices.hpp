// How much of an axis the conformance tests go through.
#pragma once

#include <string>

#include "bench/harness/axis.hpp"

namespace ridge::test {

// All choices of an axis, or of a long list the first two and the last.
inline std::string some_choices(const bench::Axis& axis) {
  constexpr std::size_t most = 10;
  if (axis.choices.size() <= most) return "all";
  return axis.choices[0] + "," + axis.choices[1] + "," + axis.choices.back();
}

}  // namespace ridge::test
