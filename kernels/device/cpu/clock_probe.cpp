// The spin probe. A register-to-register addition takes one cycle on every x86-64 and AArch64 core in use; an addition
// of a constant does not (some cores fold it away), hence the second register.
#include "kernels/device/cpu/clock_probe.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace ridge::device::cpu {
namespace {

// Keeps the compiler from knowing the value, without any instruction.
void opaque(std::uint64_t& value) {
  asm volatile("" : "+r"(value));
}

[[maybe_unused]] double seconds_for(int rounds) {
  std::uint64_t sum = 1;
  std::uint64_t step = 3;
  opaque(step);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    sum += step, opaque(sum), sum += step, opaque(sum), sum += step, opaque(sum), sum += step, opaque(sum);
    sum += step, opaque(sum), sum += step, opaque(sum), sum += step, opaque(sum), sum += step, opaque(sum);
    sum += step, opaque(sum), sum += step, opaque(sum), sum += step, opaque(sum), sum += step, opaque(sum);
    sum += step, opaque(sum), sum += step, opaque(sum), sum += step, opaque(sum), sum += step, opaque(sum);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

std::optional<double> effective_clock_hz() {
#ifndef __OPTIMIZE__
  return std::nullopt;
#else
  constexpr int additions_per_round = 16;
  constexpr int rounds = 8192;  // some 50 µs: a thousand times the clock's own cost
  constexpr int tries = 5;
  double fastest = seconds_for(rounds);
  for (int i = 1; i < tries; ++i) fastest = std::min(fastest, seconds_for(rounds));
  if (!(fastest > 0)) return std::nullopt;
  return static_cast<double>(rounds) * additions_per_round / fastest;
#endif
}

}  // namespace ridge::device::cpu
