// Two products of a matrix and a vector: y = A·x, dense (GEMV) and sparse (SpMV). Each element of A is used once, so
// both live on the slope of the roofline.
//
// GEMV: A (rows, columns), row-major. 2·rows·columns operations; A and x are read once, y is written.
// SpMV: A in CSR with 8-byte row starts and 4-byte columns. 2·nonzeros operations; values, columns, starts and x are
// read once, y is written. How often x is fetched again depends on the order of the columns: here they lie within a
// band that a second-level cache holds.
#pragma once

#include <cstdint>

namespace ridge::roofline {

template <class T>
struct Dense {
  T* y = nullptr;        // (rows)
  const T* a = nullptr;  // (rows, columns)
  const T* x = nullptr;  // (columns)
  std::int64_t columns = 0;
};

template <class T>
struct Sparse {
  T* y = nullptr;                         // (rows)
  const T* values = nullptr;              // (nonzeros)
  const std::int32_t* columns = nullptr;  // (nonzeros)
  const std::int64_t* starts = nullptr;   // (rows + 1)
  const T* x = nullptr;                   // (rows)
};

// Rows [begin, end).
template <class T>
using DenseKernel = void (*)(const Dense<T>&, std::int64_t begin, std::int64_t end);
template <class T>
DenseKernel<T> gemv_kernel();

template <class T>
using SparseKernel = void (*)(const Sparse<T>&, std::int64_t begin, std::int64_t end);
template <class T>
SparseKernel<T> spmv_kernel();

// The sparse matrix that is measured: `row_nonzeros` in every row, at columns drawn from the seed within ±band of the
// diagonal and inside of the matrix.
inline constexpr std::int64_t row_nonzeros = 16;
inline constexpr std::int64_t band = 4096;
std::int32_t column_of(std::uint64_t seed, std::int64_t row, std::int64_t entry, std::int64_t rows);

// The most that a sum of `terms` products may be off, given the sum of their magnitudes: one rounding for each product
// and addition, the worst order.
template <class T>
double row_bound(std::int64_t terms, double magnitude);

}  // namespace ridge::roofline
