// The stencil by SIMD along x. A band of rows is taken through all planes before the next one (Rivera and Tseng,
// "Tiling optimizations for 3D scientific computations", SC 2000), so that what has to stay in a cache is three planes
// of a band, which a second-level cache holds, and not three whole ones.
#include "kernels/roofline/grid.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/roofline/grid_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ridge::roofline {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE T point(const T* at, std::int64_t row, std::int64_t plane) {
  return centre<T> * at[0] + neighbour<T> * ((at[-1] + at[1]) + (at[-row] + at[row]) + (at[-plane] + at[plane]));
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> points(D d, const T* at, std::int64_t row, std::int64_t plane) {
  const auto along = hn::Add(hn::LoadU(d, at - 1), hn::LoadU(d, at + 1));
  const auto across = hn::Add(hn::LoadU(d, at - row), hn::LoadU(d, at + row));
  const auto through = hn::Add(hn::LoadU(d, at - plane), hn::LoadU(d, at + plane));
  const auto sum = hn::Add(hn::Add(along, across), through);
  return hn::MulAdd(hn::Set(d, neighbour<T>), sum, hn::Mul(hn::Set(d, centre<T>), hn::LoadU(d, at)));
}

template <class T>
HWY_INLINE void row_of(const Grid<T>& grid, std::int64_t z, std::int64_t y) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t row = grid.n;
  const std::int64_t plane = row * row;
  const std::int64_t start = z * plane + y * row;
  T* HWY_RESTRICT const out = grid.out + start;
  const T* HWY_RESTRICT const in = grid.in + start;
  std::int64_t x = 1;
  for (; x + lanes < row; x += lanes) hn::StoreU(points(d, in + x, row, plane), d, out + x);
  for (; x + 1 < row; ++x) out[x] = point(in + x, row, plane);
}

template <class T>
void stencil(const Grid<T>& operands, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t band_bytes = 192 << 10;
  const Grid<T> grid = operands;
  const std::int64_t rows = std::max<std::int64_t>(4, band_bytes / (3 * grid.n * static_cast<std::int64_t>(sizeof(T))));
  for (std::int64_t band = 1; band + 1 < grid.n; band += rows)
    for (std::int64_t z = begin; z < end; ++z)
      for (std::int64_t y = band; y < std::min(band + rows, grid.n - 1); ++y) row_of(grid, z, y);
}

StencilKernel<float> stencil_f32() {
  return stencil<float>;
}
StencilKernel<double> stencil_f64() {
  return stencil<double>;
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::roofline
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::roofline {

HWY_EXPORT(stencil_f32);
HWY_EXPORT(stencil_f64);

template <>
StencilKernel<float> stencil_kernel<float>() {
  return HWY_DYNAMIC_DISPATCH(stencil_f32)();
}
template <>
StencilKernel<double> stencil_kernel<double>() {
  return HWY_DYNAMIC_DISPATCH(stencil_f64)();
}

}  // namespace ridge::roofline
#endif
