// Matrix times vector on the GPU: a warp for four dense rows, so that x is read once for four; eight lanes for a sparse
// one.
#include <cstdint>

#include "kernels/roofline/rows_kernels.hpp"

namespace {

using namespace ridge::roofline;

__device__ float fused(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
__device__ double fused(double a, double b, double c) {
  return __fma_rn(a, b, c);
}

// The sum over each `lanes` neighbouring lanes, in the first of them.
template <int lanes, class T>
__device__ T joined(T sum) {
#pragma unroll
  for (int step = lanes / 2; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step, lanes);
  return sum;
}

template <int rows, class T>
__device__ void dense_rows(const T* __restrict__ a, const T* __restrict__ x, T* __restrict__ y, std::int64_t columns) {
  const unsigned lane = threadIdx.x % 32;
  T sum[rows] = {};
#pragma unroll 4
  for (std::int64_t j = lane; j < columns; j += 32) {
    const T with = x[j];
#pragma unroll
    for (int r = 0; r < rows; ++r) sum[r] = fused(a[r * columns + j], with, sum[r]);
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const T whole = joined<32>(sum[r]);
    if (lane == 0) y[r] = whole;
  }
}

template <class T>
__device__ void gemv(const T* a, const T* x, T* y, std::int64_t rows, std::int64_t columns) {
  const std::int64_t warp = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  std::int64_t row = warp * gemv_rows;
  if (row + gemv_rows <= rows) return dense_rows<gemv_rows>(a + row * columns, x, y + row, columns);
  for (; row < rows; ++row) dense_rows<1>(a + row * columns, x, y + row, columns);
}

template <class T>
__device__ void spmv(const T* __restrict__ values, const std::int32_t* __restrict__ columns,
                     const std::int64_t* __restrict__ starts, const T* __restrict__ x, T* __restrict__ y,
                     std::int64_t rows) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t row = thread / spmv_lanes;
  if (thread / 32 * (32 / spmv_lanes) >= rows) return;  // the whole warp, for all of it joins
  T sum = 0;
  if (row < rows) {
    const std::int64_t end = starts[row + 1];
#pragma unroll 2
    for (std::int64_t k = starts[row] + thread % spmv_lanes; k < end; k += spmv_lanes)
      sum = fused(values[k], x[columns[k]], sum);
  }
  sum = joined<static_cast<int>(spmv_lanes)>(sum);
  if (row < rows && thread % spmv_lanes == 0) y[row] = sum;
}

}  // namespace

#define RIDGE_ROWS_KERNELS(T, suffix)                                                                                \
  extern "C" __global__ void gemv_##suffix(const T* a, const T* x, T* y, std::int64_t rows, std::int64_t columns) {  \
    gemv(a, x, y, rows, columns);                                                                                    \
  }                                                                                                                  \
  extern "C" __global__ void spmv_##suffix(const T* values, const std::int32_t* columns, const std::int64_t* starts, \
                                           const T* x, T* y, std::int64_t rows) {                                    \
    spmv(values, columns, starts, x, y, rows);                                                                       \
  }                                                                                                                  \
  RIDGE_KERNEL_MATCHES(gemv_##suffix, ridge::roofline::cuda_gemv_##suffix);                                          \
  RIDGE_KERNEL_MATCHES(spmv_##suffix, ridge::roofline::cuda_spmv_##suffix)

RIDGE_ROWS_KERNELS(float, f32);
RIDGE_ROWS_KERNELS(double, f64);
