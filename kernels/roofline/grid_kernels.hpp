// The contract of the CUDA stencil; grid.cu holds it, grid.hpp says what it computes.
#pragma once

#include <cstdint>

#include "kernels/device/cuda/kernel.hpp"

// stencil_T (in, out, n), cubes of n³, n ≥ 3: blocks of stencil_width · stencil_height threads, one for each column of
// stencil_depth interior points along z in a tile of stencil_width (x) by stencil_height (y); stencil_blocks(n) of
// them. A thread keeps the planes below, at and above its point in registers, and reads the four other neighbours:
// 5 reads a point and 2 at the beginning of each column.
namespace ridge::roofline {

inline constexpr std::int64_t stencil_width = 32;
inline constexpr std::int64_t stencil_height = 8;
inline constexpr std::int64_t stencil_depth = 32;

constexpr std::int64_t stencil_tiles(std::int64_t n, std::int64_t edge) {
  return (n - 2 + edge - 1) / edge;
}
constexpr std::int64_t stencil_blocks(std::int64_t n) {
  return stencil_tiles(n, stencil_width) * stencil_tiles(n, stencil_height) * stencil_tiles(n, stencil_depth);
}
// Elements that the kernel asks for, wherever they come from.
constexpr std::int64_t stencil_requests(std::int64_t n) {
  const std::int64_t plane = (n - 2) * (n - 2);
  return 5 * plane * (n - 2) + 2 * plane * stencil_tiles(n, stencil_depth);
}

template <class T>
using CudaStencil = device::cuda::Kernel<const T*, T*, std::int64_t>;
inline constexpr CudaStencil<float> cuda_stencil_f32{"stencil_f32"};
inline constexpr CudaStencil<double> cuda_stencil_f64{"stencil_f64"};

}  // namespace ridge::roofline
