// Kernels that do nothing, to time how long it takes to have nothing done, and steps of a small computation.
//
// The first argument is the address of a word. Timed launches pass null there, and a thread that finds null ends. With
// an address, the kernel adds to that word a digest of all other arguments, 8 bytes each: after n launches it holds n
// times the digest, so that an argument that did not arrive shows, and a launch too few or too many.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/device/cuda/on_both.hpp"

namespace ridge::launch {

// Arguments of 8 bytes, the address being one. 512 are 4096 bytes, which every driver takes.
inline constexpr std::array<int, 4> argument_counts{1, 16, 64, 512};

inline constexpr std::uint64_t digest_of_none = 0x6A09E667F3BCC909U;

RIDGE_ON_BOTH constexpr std::uint64_t mix(std::uint64_t digest, std::uint64_t argument) {
  return (digest ^ argument) * 0x9E3779B97F4A7C15U;
}

constexpr std::uint64_t digest(std::span<const std::uint64_t> arguments) {
  std::uint64_t d = digest_of_none;
  for (const std::uint64_t argument : arguments) d = mix(d, argument);
  return d;
}

// One step of a small computation on a ring of step_elements numbers, from one array into the other: each step needs
// what other threads wrote in the step before, as layers of a model do, so one kernel for all must meet in between.
inline constexpr int step_elements = 1024;
inline constexpr int step_threads = 256;

// Exact in the number that is rounded: 0.5·right has no error, so a fused multiply-add gives the same.
RIDGE_ON_BOTH inline float stepped(float left, float right) {
  return 0.5F * left + 0.5F * right;
}

}  // namespace ridge::launch
