// Whether C is A·B, or A·B + beta·C: exactly, on whole numbers, and within the bound of rounding, on any.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/gemm/gemm.hpp"
#include "kernels/gemm/matrix.hpp"

namespace ridge::gemm {

struct Operands {
  Matrix a, b, c;    // (m, k), (k, n), (m, n)
  double unit = {};  // the unit roundoff of a sum where it is not that of sums_of(C's type)
  // Where C was added to: what an index of it held before. Not asked where beta is 0.
  double beta = {};
  std::function<double(std::int64_t)> before = {};
};
template <class T>
Operands operands(const Product<T>& product);

// What is said below of A·B holds for A·B + beta·C, where beta·C is one term more, whole where all must be whole.

// R. Freivalds' check ("Probabilistic machines can use less running time", IFIP 1977): C·r must be A·(B·r), for two
// random vectors r of whole numbers in [0, 2^16). Everything is computed in 64-bit integers, modulo 2^64, so a matrix
// with any wrong entry passes with a probability of at most 2^-32; the cost is that of reading the three matrices a few
// times. Answers the number of rows in [row_begin, row_end) that are wrong. Entries that are no whole numbers make
// their row wrong.
std::int64_t wrong_rows(const Operands& operands, std::uint64_t seed, std::int64_t row_begin, std::int64_t row_end);

// What entries may be off, in rounding errors: |c − c64| ≤ bound · Σ|a·b|, with c64 by f64 from the same inputs.
//   bound = roundings · u, roundings = k + 1: products and sums, in whatever order; u = 2^-24 where sums are f32,
//   2^-53 for f64, whose own oracle may be off as much again; 0 for whole numbers
// Where C is narrower than its sums, storing them rounds once more: |c64|·u(C) and what that is of the bound above, or
// half the least number of C's type, are added.
double error_bound(Type sums, std::int64_t k);
Type sums_of(Type c);  // f32 where C is narrower

struct Compared {
  std::int64_t checked = 0;
  std::int64_t wrong = 0;
  std::int64_t first_wrong = -1;  // index into C
  double max_error = 0;           // |c − c64| / (bound · Σ|a·b|)
  void add(const Compared& other);
};

// All entries of these rows of C, or of these columns.
Compared compare_rows(const Operands& operands, const std::vector<std::int64_t>& rows);
Compared compare_columns(const Operands& operands, const std::vector<std::int64_t>& columns);

// Indices to look at where all would take too long: the last and `more` random ones, each once, ascending.
std::vector<std::int64_t> sample(std::int64_t count, int more, std::uint64_t seed);

}  // namespace ridge::gemm
