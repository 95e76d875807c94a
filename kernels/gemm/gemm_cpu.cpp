// The blocked product of f32 and f64 by SIMD: how operands are packed, and multiply-adds.
#include <algorithm>

#include "kernels/gemm/blocks.hpp"
#include "kernels/gemm/gemm.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm/gemm_cpu.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ridge::gemm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#include "kernels/gemm/blocked-inl.hpp"

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

template <class T>
struct Floats {
  static constexpr std::int64_t products = 1;

  static void pack_a(const Product<T>& p, std::int64_t row, std::int64_t rows, std::int64_t l, std::int64_t terms,
                     T* out) {
    if (p.a_transposed)
      pack_a_transposed(p.a_at(row, l), p.stride_of_a(), rows, terms, out);
    else
      HWY_NAMESPACE::pack_a(p.a_at(row, l), p.stride_of_a(), rows, terms, out);
  }
  static void pack_b(const Product<T>& p, std::int64_t l, std::int64_t terms, std::int64_t column, std::int64_t columns,
                     T* out) {
    if (p.b_transposed)
      pack_b_transposed(p.b_at(l, column), p.k, terms, columns, out);
    else
      HWY_NAMESPACE::pack_b(p.b_at(l, column), p.n, terms, columns, out);
  }
  template <class V>
  static HWY_INLINE V add(V x, V b, V sums) {
    return hn::MulAdd(x, b, sums);
  }
};

Kernel<float> blocked_f32() {
  return blocked<Floats<float>, float, float>;
}
Kernel<double> blocked_f64() {
  return blocked<Floats<double>, double, double>;
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
