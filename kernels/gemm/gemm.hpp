// The dense matrix product C = A·B.
//
//   c[i][j] = Σ a[i][l] · b[l][j],  A (m, k), B (k, n), C (m, n), all row-major and without gaps
//
// 2·m·n·k operations; at least (m·k + k·n + m·n) elements move, which is what the intensity is counted by.
#pragma once

#include <cstdint>

namespace ridge::gemm {

template <class T>
struct Product {
  T* c = nullptr;        // (m, n), overwritten
  const T* a = nullptr;  // (m, k)
  const T* b = nullptr;  // (k, n)
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

// Columns [begin, end) of C, with `workspace` of workspace_elements<T>() elements that nobody else uses meanwhile,
// aligned to 64 bytes.
template <class T>
using Kernel = void (*)(const Product<T>&, T* workspace, std::int64_t begin, std::int64_t end);

// Blocked for three cache levels and the registers, with both operands packed, after K. Goto and R. van de Geijn,
// "Anatomy of high-performance matrix multiplication", ACM TOMS 34 (2008): a piece of B stays in the third level, a
// block of A in the second, a sliver of B in the first, a tile of C in registers.
template <class T>
Kernel<T> blocked_kernel();
template <class T>
std::int64_t workspace_elements();

// A multiple of the width of a tile of C for every instruction set: shares of columns that are multiples waste none.
inline constexpr std::int64_t column_block = 32;

// Whole numbers, so that every sum below 2^24 (f32) or 2^53 (f64) is exact whatever the order: the check below then has
// no tolerance in which a mistake could hide.
template <class T>
T entry(std::uint64_t seed, int which, std::int64_t index);

// R. Freivalds' check ("Probabilistic machines can use less running time", IFIP 1977): C·r must be A·(B·r), for two
// random vectors r of whole numbers in [0, 2^16). Everything is computed in 64-bit integers, modulo 2^64, so a matrix
// with any wrong entry passes with a probability of at most 2^-32; the cost is that of reading the three matrices a few
// times. Answers the number of rows that are wrong. Entries of C that are no whole numbers make their row wrong.
template <class T>
std::int64_t wrong_rows(const Product<T>& product, std::uint64_t seed, std::int64_t row_begin, std::int64_t row_end);

}  // namespace ridge::gemm
