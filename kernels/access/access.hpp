// Loads and stores in patterns: element i of `count` lies at offset + i · stride, in elements of 1 to 16 bytes.
//
//   load     bits ⊕= spread(src[offset + i·stride], i)     reads count elements; the exclusive or, 64 bits wide, is
//   exact in
//                                                          any order
//   store    dst[offset + i·stride] = pattern(i)           writes count elements, and nothing between them
//
// spread() puts narrow elements at a place in the word that follows from i, so that one element too many, too few or of
// another place shows.
#pragma once

#include <cstdint>

#include "kernels/random/counter.hpp"

#include "kernels/device/cuda/on_both.hpp"

namespace ridge::access {

struct alignas(16) Wide {
  std::uint64_t low, high;
};

struct Pattern {
  std::int64_t offset = 0;  // elements
  std::int64_t stride = 1;  // elements, ≥ 1
  std::int64_t count = 0;
};

template <class T>
RIDGE_ON_BOTH inline std::uint64_t spread(T value, std::int64_t i) {
  constexpr int places = 8 / static_cast<int>(sizeof(T));
  return static_cast<std::uint64_t>(value) << (i % places * static_cast<int>(8 * sizeof(T)));
}
template <>
RIDGE_ON_BOTH inline std::uint64_t spread<Wide>(Wide value, std::int64_t) {
  return value.low ^ (value.high << 1 | value.high >> 63);
}

// What is stored: cheap, and different for neighbours.
template <class T>
RIDGE_ON_BOTH inline T pattern(std::int64_t i) {
  return static_cast<T>(static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15U >> (64 - 8 * sizeof(T)));
}
template <>
RIDGE_ON_BOTH inline Wide pattern<Wide>(std::int64_t i) {
  return {pattern<std::uint64_t>(i), ~pattern<std::uint64_t>(i)};
}

// Word `index` of an array filled from a seed.
inline std::uint64_t word(std::uint64_t seed, std::int64_t index) {
  return random::bits(seed, static_cast<std::uint64_t>(index));
}

// Elements [begin, end) of the pattern, on one thread of a CPU. T is std::uint8_t, 16_t, 32_t, 64_t or Wide.
template <class T>
std::uint64_t cpu_load(const T* src, const Pattern& p, std::int64_t begin, std::int64_t end);
template <class T>
void cpu_store(T* dst, const Pattern& p, std::int64_t begin, std::int64_t end);

}  // namespace ridge::access
