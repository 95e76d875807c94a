// Shared memory on a GPU, by stride: its 32 banks each give one 4-byte word at a time.
//
//   In step s lane l of a warp reads word (l · stride + s) mod bank_words: lanes whose words differ and lie in one bank
//   wait for each other, gcd(stride, 32) of them: lane l meets lane m where (l − m) · stride is a multiple of 32.
//   sum of a lane: Σ over s of words[(l · stride + s) mod bank_words], modulo 2^32
//   word w holds bank_word(w)
#pragma once

#include <cstdint>
#include <numeric>

#include "kernels/access/access.hpp"

namespace ridge::access {

// 16 KiB, a power of two, so that no lane's word needs a division.
inline constexpr std::int64_t bank_words = 4096;
inline constexpr unsigned bank_threads = 256;
inline constexpr unsigned bank_steps = 16;  // of a round

RIDGE_ON_BOTH inline std::uint32_t bank_word(std::uint32_t word) {
  const std::uint32_t x = (word + 1) * 0x9E3779B1U;
  return x ^ x >> 15;
}

// How often the banks are asked for one request of a warp: 1 where no lane waits.
inline int wavefronts_per_request(std::int64_t stride) {
  return static_cast<int>(std::gcd(stride, std::int64_t{32}));
}

RIDGE_ON_BOTH inline std::uint32_t weight_of_thread(unsigned thread) {
  return 2 * thread + 1;
}
// What a block of bank_threads finds in `steps` steps: each thread's sum times its weight, added up modulo 2^32.
std::uint32_t banks_sum(std::int64_t stride, std::int64_t steps);

}  // namespace ridge::access
