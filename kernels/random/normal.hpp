// Normally distributed numbers by counter: what weights and activations look like more than anything else simple.
#pragma once

#include <cmath>

#include "kernels/random/counter.hpp"

namespace ridge::random {

// In (0, 1): 53 random bits, and half a unit more, so that neither end is met.
inline double uniform(std::uint64_t random_bits) {
  return (static_cast<double>(random_bits >> 11) + 0.5) * 0x1p-53;
}

// Mean 0, variance 1 (G. E. P. Box and M. E. Muller, "A note on the generation of random normal deviates", 1958); the
// index-th of the sequence `seed`.
inline double normal(std::uint64_t seed, std::uint64_t index) {
  const double radius = std::sqrt(-2 * std::log(uniform(bits(seed, 2 * index))));
  return radius * std::cos(6.283185307179586 * uniform(bits(seed, 2 * index + 1)));
}

}  // namespace ridge::random
