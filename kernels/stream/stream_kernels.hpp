// The contract of the STREAM family's CUDA kernels; stream.cu holds them, stream.hpp says what they compute.
#pragma once

#include <cstdint>

#include "kernels/device/cuda/kernel.hpp"

// All arrays are (n) of T and begin at multiples of 16 bytes; n ≥ 0. Any number of blocks; blocks of a multiple of 32
// threads, at most 1024. Each element of an input is read once and each of the target written once, 16 bytes at a time
// but for a remainder of less than 16 bytes.
//
//   copy (b, a, n)   scale (b, a, q, n)   add (b, c, a, n)   triad (b, c, a, q, n)   write (a, q, n)
//   dot  (b, c, partial, n)    partial (blocks) of f64: block k's part of Σ b[i] c[i]. Sums in T run over at most
//                              dot_chain terms before they go on in f64.
//   read (b, partial, n)       partial (blocks) of u64: block k's part of the exclusive or of all bit patterns, 32-bit
//                              ones zero-extended.
namespace ridge::stream {

template <class... Args>
using CudaKernel = device::cuda::Kernel<Args...>;

inline constexpr std::int64_t dot_chain = 1024;

template <class T>
struct CudaKernels {
  CudaKernel<const T*, T*, std::int64_t> copy;
  CudaKernel<const T*, T*, T, std::int64_t> scale;
  CudaKernel<const T*, const T*, T*, std::int64_t> add;
  CudaKernel<const T*, const T*, T*, T, std::int64_t> triad;
  CudaKernel<T*, T, std::int64_t> write;
  CudaKernel<const T*, const T*, double*, std::int64_t> dot;
  CudaKernel<const T*, std::uint64_t*, std::int64_t> read;
};

inline constexpr CudaKernels<float> cuda_f32{{"stream_copy_f32"},  {"stream_scale_f32"}, {"stream_add_f32"},
                                             {"stream_triad_f32"}, {"stream_write_f32"}, {"stream_dot_f32"},
                                             {"stream_read_f32"}};
inline constexpr CudaKernels<double> cuda_f64{{"stream_copy_f64"},  {"stream_scale_f64"}, {"stream_add_f64"},
                                              {"stream_triad_f64"}, {"stream_write_f64"}, {"stream_dot_f64"},
                                              {"stream_read_f64"}};

}  // namespace ridge::stream
