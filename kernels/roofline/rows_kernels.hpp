// The contract of the CUDA matrix-vector products; rows.cu holds them, rows.hpp says what they compute.
#pragma once

#include <cstdint>

#include "kernels/device/cuda/kernel.hpp"

// gemv_T (a, x, y, rows, columns): blocks of rows_threads threads, enough for a warp to each gemv_rows rows. A warp
// reads a piece of x once for gemv_rows rows, and in a last group of fewer once for each row; then each row's 32 sums
// are joined in five steps, in each of which all lanes add.
//
// spmv_T (values, columns, starts, x, y, rows): CSR as in rows.hpp. Blocks of rows_threads threads, enough for
// spmv_lanes lanes to each row. Each lane reads the beginning and the end of its row; a row's sums are joined in
// log2(spmv_lanes) steps, in which all lanes of every warp that has a row add.
namespace ridge::roofline {

inline constexpr unsigned rows_threads = 256;
inline constexpr std::int64_t gemv_rows = 4;
inline constexpr std::int64_t spmv_lanes = 8;

template <class T>
using CudaGemv = device::cuda::Kernel<const T*, const T*, T*, std::int64_t, std::int64_t>;
template <class T>
using CudaSpmv = device::cuda::Kernel<const T*, const std::int32_t*, const std::int64_t*, const T*, T*, std::int64_t>;

inline constexpr CudaGemv<float> cuda_gemv_f32{"gemv_f32"};
inline constexpr CudaGemv<double> cuda_gemv_f64{"gemv_f64"};
inline constexpr CudaSpmv<float> cuda_spmv_f32{"spmv_f32"};
inline constexpr CudaSpmv<double> cuda_spmv_f64{"spmv_f64"};

}  // namespace ridge::roofline
