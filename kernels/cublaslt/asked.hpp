// What is asked of cuBLASLt, in plain types: nothing here needs its header.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/gemm_library/library.hpp"

namespace ridge::cublaslt {

// How the numbers of 8 and 4 bits are scaled: by 1; by a number for each matrix; for each row of A and column of B; for
// each block of 32 (of 4 bits: 16) along k. Here all of A's scales are alike, and B's, powers of two that alpha undoes:
// the product is the same, and would be wrong by that power where a scale is forgotten.
enum class Scale { none, tensor, outer, block };

struct Product {
  gemm::Problem problem;           // sums are gemm::sums_of(C's type); threads do not matter
  bool tf32 = false;               // f32 may be rounded to tf32 before it is multiplied
  bool fast_accumulation = false;  // of 8 bits: sums stay in the matrix units, with fewer bits
  bool half_sums = false;          // of f16, whose C is f16: sums are f16 too
  Scale scale = Scale::none;
  double alpha = 1;  // of A·B, where nothing is scaled
  // What becomes of C inside of the product: activation(A·B + bias + residual), bias (n) and residual (m, n) of C's
  // type. The library takes the residual in C's place, with a beta of 1: before an activation, not behind it.
  bool bias = false;
  bool residual = false;
  gemm::Activation activation = gemm::Activation::none;
};

// What the library may take besides the matrices.
inline constexpr std::int64_t workspace_bytes = std::int64_t{32} << 20;

// Of A's and B's scales together: floats, or a byte for each block, in tiles of 128 rows by 4 blocks.
inline std::int64_t scale_bytes(const Product& product) {
  const gemm::Problem& p = product.problem;
  const auto up = [](std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; };
  if (product.scale == Scale::none) return 0;
  if (product.scale == Scale::tensor) return 2 * 4;
  if (product.scale == Scale::outer) return (p.m + p.n) * 4;
  const std::int64_t block = p.a == gemm::Type::e2m1 ? 16 : 32;
  return (up(p.m, 128) + up(p.n, 128)) * up(up(p.k, block) / block, 4);
}

// The first rule of cuBLASLt's documentation that the product breaks, of shape ("k must be a multiple of 16"), layout
// and compute capability (of 90 for 9.0); "" where none is known.
std::string broken_rule(const Product& product, int capability);

}  // namespace ridge::cublaslt
