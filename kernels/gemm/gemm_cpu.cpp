// The blocked product by SIMD: a tile of six rows by two vectors in twelve accumulators, which is what sixteen
// registers hold beside two vectors of B and one element of A.
#include "kernels/gemm/gemm.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm/gemm_cpu.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef RIDGE_GEMM_BLOCKS
#define RIDGE_GEMM_BLOCKS
namespace ridge::gemm {
inline constexpr std::int64_t tile_rows = 6;
// Bytes of A's block (second level), its depth in bytes (a sliver of B this deep stays in the first level), and columns
// of B packed at a time (third level).
inline constexpr std::int64_t depth_bytes = 2048;
inline constexpr std::int64_t block_rows = 96;
inline constexpr std::int64_t panel_columns = 1024;
static_assert(block_rows % tile_rows == 0);
static_assert(panel_columns % column_block == 0);

template <class T>
constexpr std::int64_t depth = depth_bytes / static_cast<std::int64_t>(sizeof(T));
}  // namespace ridge::gemm
#endif

HWY_BEFORE_NAMESPACE();
namespace ridge::gemm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// (rows, width) of B, in slivers of two vectors, each row of a sliver contiguous; what lies beyond `width` is zero.
template <class T>
void pack_b(const T* HWY_RESTRICT b, std::int64_t stride, std::int64_t rows, std::int64_t width, T* HWY_RESTRICT out) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t sliver = 2 * lanes;
  std::int64_t j = 0;
  for (; j + sliver <= width; j += sliver)
    for (std::int64_t l = 0; l < rows; ++l, out += sliver) {
      hn::StoreU(hn::LoadU(d, b + l * stride + j), d, out);
      hn::StoreU(hn::LoadU(d, b + l * stride + j + lanes), d, out + lanes);
    }
  if (j == width) return;
  for (std::int64_t l = 0; l < rows; ++l)
    for (std::int64_t s = 0; s < sliver; ++s) *out++ = j + s < width ? b[l * stride + j + s] : T{0};
}

// The same of B stored transposed: (width, rows), each column contiguous.
template <class T>
void pack_b_transposed(const T* HWY_RESTRICT b, std::int64_t stride, std::int64_t rows, std::int64_t width,
                       T* HWY_RESTRICT out) {
  const std::int64_t sliver = 2 * static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>()));
  for (std::int64_t j = 0; j < width; j += sliver) {
    const std::int64_t there = std::min(sliver, width - j);
    for (std::int64_t l = 0; l < rows; ++l, out += sliver) {
      for (std::int64_t s = 0; s < there; ++s) out[s] = b[(j + s) * stride + l];
      for (std::int64_t s = there; s < sliver; ++s) out[s] = T{0};
    }
  }
}

// (rows, columns) of A, in slivers of six rows, each column of a sliver contiguous; rows beyond are zero.
template <class T>
void pack_a(const T* HWY_RESTRICT a, std::int64_t stride, std::int64_t rows, std::int64_t columns,
            T* HWY_RESTRICT out) {
  std::int64_t i = 0;
  for (; i + tile_rows <= rows; i += tile_rows) {
    const T* const at = a + i * stride;
    for (std::int64_t l = 0; l < columns; ++l, out += tile_rows)
      for (std::int64_t s = 0; s < tile_rows; ++s) out[s] = at[s * stride + l];
  }
  if (i == rows) return;
  for (std::int64_t l = 0; l < columns; ++l)
    for (std::int64_t s = 0; s < tile_rows; ++s) *out++ = i + s < rows ? a[(i + s) * stride + l] : T{0};
}

// The same of A stored transposed: (columns, rows).
template <class T>
void pack_a_transposed(const T* HWY_RESTRICT a, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                       T* HWY_RESTRICT out) {
  for (std::int64_t i = 0; i < rows; i += tile_rows) {
    const std::int64_t there = std::min(tile_rows, rows - i);
    for (std::int64_t l = 0; l < columns; ++l, out += tile_rows) {
      for (std::int64_t s = 0; s < there; ++s) out[s] = a[l * stride + i + s];
      for (std::int64_t s = there; s < tile_rows; ++s) out[s] = T{0};
    }
  }
}

// c (6, 2 vectors) = or += a (6, depth) · b (depth, 2 vectors), both packed.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void tile(D d, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, std::int64_t depth_now, T* HWY_RESTRICT c,
                     std::int64_t stride, bool add) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto c00 = hn::Zero(d), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00;
  auto c30 = c00, c31 = c00, c40 = c00, c41 = c00, c50 = c00, c51 = c00;
  // The rows of C are far apart, so nothing else fetches them: without this, a tenth of the time is spent waiting.
  for (std::int64_t r = 0; r < tile_rows; ++r) hwy::Prefetch(c + r * stride);
  for (std::int64_t l = 0; l < depth_now; ++l, a += tile_rows, b += 2 * lanes) {
    const auto b0 = hn::LoadU(d, b);
    const auto b1 = hn::LoadU(d, b + lanes);
    auto x = hn::Set(d, a[0]);
    c00 = hn::MulAdd(x, b0, c00), c01 = hn::MulAdd(x, b1, c01);
    x = hn::Set(d, a[1]);
    c10 = hn::MulAdd(x, b0, c10), c11 = hn::MulAdd(x, b1, c11);
    x = hn::Set(d, a[2]);
    c20 = hn::MulAdd(x, b0, c20), c21 = hn::MulAdd(x, b1, c21);
    x = hn::Set(d, a[3]);
    c30 = hn::MulAdd(x, b0, c30), c31 = hn::MulAdd(x, b1, c31);
    x = hn::Set(d, a[4]);
    c40 = hn::MulAdd(x, b0, c40), c41 = hn::MulAdd(x, b1, c41);
    x = hn::Set(d, a[5]);
    c50 = hn::MulAdd(x, b0, c50), c51 = hn::MulAdd(x, b1, c51);
  }
  const auto row = [&](std::int64_t r, hn::Vec<D> left, hn::Vec<D> right) {
    T* const at = c + r * stride;
    hn::StoreU(add ? hn::Add(hn::LoadU(d, at), left) : left, d, at);
    hn::StoreU(add ? hn::Add(hn::LoadU(d, at + lanes), right) : right, d, at + lanes);
  };
  row(0, c00, c01), row(1, c10, c11), row(2, c20, c21), row(3, c30, c31), row(4, c40, c41), row(5, c50, c51);
}

// A tile that does not fit in C: computed aside, and copied as far as C goes.
template <class D, class T = hn::TFromD<D>>
void edge_tile(D d, const T* a, const T* b, std::int64_t depth_now, T* c, std::int64_t stride, bool add,
               std::int64_t rows, std::int64_t columns) {
  const std::int64_t width = 2 * static_cast<std::int64_t>(hn::Lanes(d));
  HWY_ALIGN T aside[static_cast<std::size_t>(tile_rows) * 2 * HWY_MAX_BYTES / sizeof(T)];
  tile(d, a, b, depth_now, aside, width, false);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      c[i * stride + j] = aside[i * width + j] + (add ? c[i * stride + j] : T{0});
}

// Where in the loops a block of A meets a panel of B.
struct Block {
  std::int64_t row, rows, column, columns, depth_begin, depth_now;
};

template <class T>
HWY_INLINE void multiply_block(const Product<T>& p, const T* packed_a, const T* packed_b, const Block& at) {
  const hn::ScalableTag<T> d;
  const std::int64_t width = 2 * static_cast<std::int64_t>(hn::Lanes(d));
  const bool add = at.depth_begin > 0;
  for (std::int64_t j = 0; j < at.columns; j += width)
    for (std::int64_t i = 0; i < at.rows; i += tile_rows) {
      const T* const a = packed_a + i * at.depth_now;
      const T* const b = packed_b + j * at.depth_now;
      T* const c = p.c + (at.row + i) * p.n + at.column + j;
      const std::int64_t rows = std::min(tile_rows, at.rows - i);
      const std::int64_t columns = std::min(width, at.columns - j);
      if (rows == tile_rows && columns == width) {
        tile(d, a, b, at.depth_now, c, p.n, add);
      } else {
        edge_tile(d, a, b, at.depth_now, c, p.n, add, rows, columns);
      }
    }
}

template <class T>
void blocked(const Product<T>& product, T* workspace, std::int64_t begin, std::int64_t end) {
  const Product<T> p = product;
  T* const packed_a = workspace;
  T* const packed_b = workspace + block_rows * depth<T>;
  for (std::int64_t column = begin; column < end; column += panel_columns)
    for (std::int64_t l = 0; l < p.k; l += depth<T>) {
      Block at{0, 0, column, std::min(panel_columns, end - column), l, std::min(depth<T>, p.k - l)};
      if (p.b_transposed)
        pack_b_transposed(p.b_at(l, column), p.k, at.depth_now, at.columns, packed_b);
      else
        pack_b(p.b_at(l, column), p.n, at.depth_now, at.columns, packed_b);
      for (at.row = 0; at.row < p.m; at.row += block_rows) {
        at.rows = std::min(block_rows, p.m - at.row);
        if (p.a_transposed)
          pack_a_transposed(p.a_at(at.row, l), p.stride_of_a(), at.rows, at.depth_now, packed_a);
        else
          pack_a(p.a_at(at.row, l), p.stride_of_a(), at.rows, at.depth_now, packed_a);
        multiply_block(p, packed_a, packed_b, at);
      }
    }
}

Kernel<float> blocked_f32() {
  return blocked<float>;
}
Kernel<double> blocked_f64() {
  return blocked<double>;
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::gemm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::gemm {

HWY_EXPORT(blocked_f32);
HWY_EXPORT(blocked_f64);

template <>
Kernel<float> blocked_kernel<float>() {
  return HWY_DYNAMIC_DISPATCH(blocked_f32)();
}
template <>
Kernel<double> blocked_kernel<double>() {
  return HWY_DYNAMIC_DISPATCH(blocked_f64)();
}

template <>
std::int64_t workspace_elements<float>() {
  return (block_rows + panel_columns + column_block) * depth<float>;
}
template <>
std::int64_t workspace_elements<double>() {
  return (block_rows + panel_columns + column_block) * depth<double>;
}

}  // namespace ridge::gemm
#endif
