// A counter-based generator: the i-th number follows from seed and i alone, so fills run in parallel and a check makes
// its own copy of the inputs instead of trusting the ones in memory.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace ridge::random {

// 64 well-mixed bits: the output function of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014) at position `index`.
constexpr std::uint64_t bits(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

// An independent seed for each of several sequences of one run.
constexpr std::uint64_t seed_of(std::uint64_t seed, std::uint64_t sequence) {
  return bits(~seed, sequence);
}

// A value in ±[1, 2) whose every mantissa bit is random: no zeroes, no denormals, no cheap multiplications.
template <class T>
constexpr T full_mantissa(std::uint64_t random_bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(random_bits >> 32 & 0x807FFFFFU) | 0x3F800000U);
  } else {
    static_assert(std::is_same_v<T, double>);
    return std::bit_cast<double>((random_bits & 0x800FFFFFFFFFFFFFU) | 0x3FF0000000000000U);
  }
}

// 1, 2 or 3: sums of products of these are exact in any floating-point type until they exceed its mantissa.
template <class T>
constexpr T small_whole(std::uint64_t random_bits) {
  return static_cast<T>(1 + ((random_bits >> 32) * 3 >> 32));
}

}  // namespace ridge::random
