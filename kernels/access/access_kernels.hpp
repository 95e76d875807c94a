// The contract of the CUDA kernels of access.cu; access.hpp says what they compute.
#pragma once

#include <cstdint>

#include "kernels/access/access.hpp"
#include "kernels/device/cuda/kernel.hpp"

// src and dst begin at multiples of 16 bytes. Any number of blocks of a multiple of 32 threads, at most 1024. Thread t
// of all takes the elements t, t + threads, …: neighbours in a warp take neighbours in the pattern.
//
//   load (src, offset, stride, count, partial)   partial (blocks): block k's part; may be null: then nothing is
//   written,
//                                                and each load is all that a warp asks of memory
//   store(dst, offset, stride, count)
namespace ridge::access {

template <class... Args>
using CudaKernel = device::cuda::Kernel<Args...>;

template <class T>
struct CudaKernels {
  CudaKernel<const T*, std::int64_t, std::int64_t, std::int64_t, std::uint64_t*> load;
  CudaKernel<T*, std::int64_t, std::int64_t, std::int64_t> store;
};

inline constexpr CudaKernels<std::uint8_t> cuda_1{{"access_load_1"}, {"access_store_1"}};
inline constexpr CudaKernels<std::uint16_t> cuda_2{{"access_load_2"}, {"access_store_2"}};
inline constexpr CudaKernels<std::uint32_t> cuda_4{{"access_load_4"}, {"access_store_4"}};
inline constexpr CudaKernels<std::uint64_t> cuda_8{{"access_load_8"}, {"access_store_8"}};
inline constexpr CudaKernels<Wide> cuda_16{{"access_load_16"}, {"access_store_16"}};

}  // namespace ridge::access
