// Dropout without a mask in memory: whether an element is kept follows from key, row and column, by Philox.
//
// The four words of one counter decide over four columns of a row that are dropout_apart apart, counter (slot, row, 0):
//
//   column j: slot (j / 4a)·a + j mod a, word (j mod 4a) / a, a = dropout_apart
//
// so that a thread of a GPU has four of its own places from one call, and vectors are neighbouring columns.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/random/philox.hpp"

namespace ridge::fused {

inline constexpr std::int64_t dropout_apart = 256;

// Dropped where the word is below `below`; what is kept is multiplied by `scale`, so that the mean stays.
struct Dropout {
  std::uint64_t key = 0;
  std::uint32_t below = 0;
  float scale = 1;
};

// `probability` in [0, 1): of an element to be dropped.
inline Dropout dropout_of(double probability, std::uint64_t key) {
  return {key, static_cast<std::uint32_t>(std::lround(std::ldexp(probability, 32))),
          static_cast<float>(1 / (1 - probability))};
}

RIDGE_ON_BOTH inline random::FourWords dropout_words(const Dropout& dropout, std::int64_t row, std::uint32_t slot) {
  const auto bits = static_cast<std::uint64_t>(row);
  return random::philox({{slot, static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32), 0}},
                        dropout.key);
}

// 0, or the scale.
inline float dropout_factor(const Dropout& dropout, std::int64_t row, std::int64_t column) {
  constexpr std::int64_t four = 4 * dropout_apart;
  const auto slot = static_cast<std::uint32_t>(column / four * dropout_apart + column % dropout_apart);
  return dropout_words(dropout, row, slot).at[column % four / dropout_apart] < dropout.below ? 0 : dropout.scale;
}

}  // namespace ridge::fused
