// Philox-4x32-10: four random words from a counter and a key, by ten rounds of multiplications; what GPU libraries draw
// dropout from, as any thread can make any element's word without a state.
//
// J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. A round:
// (c0, c1, c2, c3) becomes (high(f1·c2) ^ c1 ^ k0, low(f1·c2), high(f0·c0) ^ c3 ^ k1, low(f0·c0)), and the key's words
// grow by their steps.
#pragma once

#include <cstdint>

#include "kernels/device/cuda/on_both.hpp"

namespace ridge::random {

struct FourWords {
  std::uint32_t at[4];
};

inline constexpr std::uint32_t philox_factor_0 = 0xD2511F53U, philox_factor_1 = 0xCD9E8D57U;
inline constexpr std::uint32_t philox_step_0 = 0x9E3779B9U, philox_step_1 = 0xBB67AE85U;
inline constexpr int philox_rounds = 10;

RIDGE_ON_BOTH constexpr FourWords philox(FourWords counter, std::uint64_t key) {
  auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < philox_rounds; ++round, k0 += philox_step_0, k1 += philox_step_1) {
    const std::uint64_t left = std::uint64_t{philox_factor_0} * counter.at[0];
    const std::uint64_t right = std::uint64_t{philox_factor_1} * counter.at[2];
    counter = {{static_cast<std::uint32_t>(right >> 32) ^ counter.at[1] ^ k0, static_cast<std::uint32_t>(right),
                static_cast<std::uint32_t>(left >> 32) ^ counter.at[3] ^ k1, static_cast<std::uint32_t>(left)}};
  }
  return counter;
}

}  // namespace ridge::random
