// The kernels of kernels.cu as nvcc compiled them, in one memory, and random inputs for them.
#pragma once

#include <random>

#include "kernels/ptx/testing/harness.hpp"

namespace ridge::ptx::testing {

inline Machine& nvcc_kernels() {
  static Machine m(file_text(RIDGE_PTX_TEST_KERNELS));
  return m;
}

inline std::vector<float> random_floats(std::size_t n, float low = -1, float high = 1) {
  static std::mt19937 random(3);
  std::vector<float> out(n);
  for (float& x : out) x = std::uniform_real_distribution<float>(low, high)(random);
  return out;
}

}  // namespace ridge::ptx::testing
