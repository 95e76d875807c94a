// The arithmetic of occupancy.
#include "kernels/device/cuda/occupancy.hpp"

#include <algorithm>

namespace ridge::device::cuda {

std::optional<MultiprocessorLimits> limits_of(const std::string& architecture) {
  std::string name = architecture;
  if (!name.empty() && name.back() == 'a') name.pop_back();
  constexpr std::int64_t kib = 1024;
  if (name == "sm_80") return MultiprocessorLimits{64, 32, 65536, 164 * kib};
  if (name == "sm_86") return MultiprocessorLimits{48, 16, 65536, 100 * kib};
  if (name == "sm_89") return MultiprocessorLimits{48, 24, 65536, 100 * kib};
  if (name == "sm_90" || name == "sm_100" || name == "sm_103") return MultiprocessorLimits{64, 32, 65536, 228 * kib};
  if (name == "sm_120") return MultiprocessorLimits{48, 32, 65536, 100 * kib};
  return std::nullopt;
}

std::optional<double> theoretical_occupancy(const std::string& architecture, int registers, std::int64_t shared_bytes,
                                            int threads) {
  const auto limits = limits_of(architecture);
  if (!limits || threads < 1) return std::nullopt;
  constexpr int unit = 256;
  constexpr std::int64_t system_shared = 1024;
  const int warps_of_block = (threads + 31) / 32;
  const int registers_of_warp = (std::max(registers, 1) * 32 + unit - 1) / unit * unit;
  const int by_warps = limits->warps / warps_of_block;
  const int by_registers = limits->registers / registers_of_warp / warps_of_block;
  const auto by_shared = static_cast<int>(limits->shared_bytes / (shared_bytes + system_shared));
  const int blocks = std::min({by_warps, by_registers, by_shared, limits->blocks});
  return static_cast<double>(blocks * warps_of_block) / limits->warps;
}

}  // namespace ridge::device::cuda
