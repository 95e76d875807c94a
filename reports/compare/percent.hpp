// How the gate's sentences spell a share: "7.25 %", "41.2 %", "230 %", "over 1000 %".
#pragma once

#include <fmt/format.h>

#include <string>

namespace ridge::compare {

// `share`: 0.05 is 5 %. Three significant digits, and never a power of ten for a large change.
inline std::string percent(double share) {
  if (share > 10) return "over 1000 %";  // of what cannot be seen anyway
  return share < 1 ? fmt::format("{:.3g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

}  // namespace ridge::compare
