// Splits elements over the threads of a team.
#include <algorithm>

#include "kernels/device/cpu/device.hpp"

namespace ridge::device::cpu {

Share share(std::int64_t count, int rank, int size, std::int64_t line) {
  const std::int64_t lines = (count + line - 1) / line;
  const std::int64_t each = lines / size;
  const std::int64_t extra = lines % size;  // the first `extra` ranks take one line more
  const auto first = [&](std::int64_t r) { return std::min((r * each + std::min(r, extra)) * line, count); };
  return {first(rank), first(rank + 1)};
}

}  // namespace ridge::device::cpu
