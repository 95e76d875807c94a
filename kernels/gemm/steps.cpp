// The plain kernels of the ladder, compiled for any processor of the architecture.
#include <algorithm>

#include "kernels/gemm/gemm.hpp"

namespace ridge::gemm {
namespace {

// A block of B of this many rows and bytes a row stays in a second-level cache of half a megabyte, beside a row of C.
constexpr std::int64_t cached_depth = 64;
constexpr std::int64_t cached_row_bytes = 4096;

template <class T>
void clear(const Product<T>& p, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = 0; i < p.m; ++i) std::fill(p.c + i * p.n + begin, p.c + i * p.n + end, T{0});
}

template <class T>
void naive(const Product<T>& p, T*, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = 0; i < p.m; ++i)
    for (std::int64_t j = begin; j < end; ++j) {
      T sum = 0;
      for (std::int64_t l = 0; l < p.k; ++l) sum += *p.a_at(i, l) * *p.b_at(l, j);
      p.c[i * p.n + j] = sum;
    }
}

// c (width) += x · b (width).
template <class T>
void add_row(T x, const T* __restrict b, T* __restrict c, std::int64_t width) {
  for (std::int64_t j = 0; j < width; ++j) c[j] += x * b[j];
}

template <class T>
void loop_order(const Product<T>& p, T*, std::int64_t begin, std::int64_t end) {
  clear(p, begin, end);
  for (std::int64_t i = 0; i < p.m; ++i)
    for (std::int64_t l = 0; l < p.k; ++l)
      add_row(p.a[i * p.k + l], p.b + l * p.n + begin, p.c + i * p.n + begin, end - begin);
}

// c (width) += x (4) · b (4, width), whose rows lie `pitch` apart: c passes through the registers once for four rows.
template <class T>
void add_four_rows(const T* __restrict x, const T* __restrict b, std::int64_t pitch, T* __restrict c,
                   std::int64_t width) {
  const T x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
  const T *b1 = b + pitch, *b2 = b1 + pitch, *b3 = b2 + pitch;
  for (std::int64_t j = 0; j < width; ++j) c[j] += x0 * b[j] + x1 * b1[j] + x2 * b2[j] + x3 * b3[j];
}

template <class T>
void cached(const Product<T>& p, T*, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t width = cached_row_bytes / static_cast<std::int64_t>(sizeof(T));
  clear(p, begin, end);
  for (std::int64_t j = begin; j < end; j += width)
    for (std::int64_t depth = 0; depth < p.k; depth += cached_depth)
      for (std::int64_t i = 0; i < p.m; ++i) {
        const T* const x = p.a + i * p.k;
        T* const c = p.c + i * p.n + j;
        const std::int64_t columns = std::min(width, end - j), last = std::min(depth + cached_depth, p.k);
        std::int64_t l = depth;
        for (; l + 4 <= last; l += 4) add_four_rows(x + l, p.b + l * p.n + j, p.n, c, columns);
        for (; l < last; ++l) add_row(x[l], p.b + l * p.n + j, c, columns);
      }
}

}  // namespace

template <>
Kernel<float> naive_kernel<float>() {
  return naive<float>;
}
template <>
Kernel<double> naive_kernel<double>() {
  return naive<double>;
}
template <>
Kernel<float> loop_order_kernel<float>() {
  return loop_order<float>;
}
template <>
Kernel<double> loop_order_kernel<double>() {
  return loop_order<double>;
}
template <>
Kernel<float> cached_kernel<float>() {
  return cached<float>;
}
template <>
Kernel<double> cached_kernel<double>() {
  return cached<double>;
}

}  // namespace ridge::gemm
