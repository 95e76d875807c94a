// The 7-point stencil on the GPU: a thread walks up a column, so that a plane is read for three.
#include <cstdint>

#include "kernels/roofline/grid.hpp"
#include "kernels/roofline/grid_kernels.hpp"

namespace {

using namespace ridge::roofline;

__device__ float fused(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
__device__ double fused(double a, double b, double c) {
  return __fma_rn(a, b, c);
}

// As stencil_tiles(), which is the host's.
__device__ std::int64_t tiles(std::int64_t n, std::int64_t edge) {
  return (n - 2 + edge - 1) / edge;
}

template <class T>
__device__ void stencil(const T* __restrict__ in, T* __restrict__ out, std::int64_t n) {
  constexpr T c0 = centre<T>;
  constexpr T c1 = neighbour<T>;
  const std::int64_t wide = tiles(n, stencil_width);
  const std::int64_t high = tiles(n, stencil_height);
  const std::int64_t tile = blockIdx.x;
  const std::int64_t x = 1 + tile % wide * stencil_width + threadIdx.x % stencil_width;
  const std::int64_t y = 1 + tile / wide % high * stencil_height + threadIdx.x / stencil_width;
  const std::int64_t begin = 1 + tile / (wide * high) * stencil_depth;
  const std::int64_t end = min(begin + stencil_depth, n - 1);
  if (x >= n - 1 || y >= n - 1) return;
  const std::int64_t plane = n * n;
  std::int64_t at = (begin * n + y) * n + x;
  T below = in[at - plane];
  T here = in[at];
#pragma unroll 4
  for (std::int64_t z = begin; z < end; ++z) {
    const T above = in[at + plane];
    const T around = (in[at - 1] + in[at + 1]) + (in[at - n] + in[at + n]);
    out[at] = fused(c0, here, c1 * (around + (below + above)));
    below = here;
    here = above;
    at += plane;
  }
}

}  // namespace

extern "C" __global__ void stencil_f32(const float* in, float* out, std::int64_t n) {
  stencil(in, out, n);
}
RIDGE_KERNEL_MATCHES(stencil_f32, ridge::roofline::cuda_stencil_f32);

extern "C" __global__ void stencil_f64(const double* in, double* out, std::int64_t n) {
  stencil(in, out, n);
}
RIDGE_KERNEL_MATCHES(stencil_f64, ridge::roofline::cuda_stencil_f64);
