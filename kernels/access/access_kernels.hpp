// The contract of the CUDA kernels of access.cu; access.hpp says what they compute.
#pragma once

#include <cstdint>

#include "kernels/access/banks.hpp"
#include "kernels/access/fields.hpp"
#include "kernels/device/cuda/kernel.hpp"

// src and dst begin at multiples of 16 bytes. Any number of blocks of a multiple of 32 threads, at most 1024. Thread t
// of all takes the items t, t + threads, …: neighbours in a warp take neighbours in the pattern.
//
// partial (blocks): block k's part of what was found. Where it may be null, nothing is written then, and the loads are
// all that a warp asks of memory.
//
//   load (src, offset, stride, count, partial or null)
//   store(dst, offset, stride, count)
//   gather (src, index, count, partial or null)
//   scatter(dst, index, count)
//   load_fields (src, items, per_item, per_field, used, partial or null)
//   store_fields(dst, items, per_item, per_field, used)
//   banks(stride ≤ bank_words / 32, rounds, partial)   blocks of bank_threads threads; bank_steps steps a round
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

template <class T>
struct IndexedKernels {
  CudaKernel<const T*, const std::uint32_t*, std::int64_t, std::uint64_t*> gather;
  CudaKernel<T*, const std::uint32_t*, std::int64_t> scatter;
};

inline constexpr IndexedKernels<std::uint32_t> cuda_indexed_4{{"access_gather_4"}, {"access_scatter_4"}};
inline constexpr IndexedKernels<std::uint64_t> cuda_indexed_8{{"access_gather_8"}, {"access_scatter_8"}};
inline constexpr IndexedKernels<Wide> cuda_indexed_16{{"access_gather_16"}, {"access_scatter_16"}};

inline constexpr CudaKernel<const std::uint32_t*, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                            std::uint64_t*>
    load_fields{"access_load_fields"};
inline constexpr CudaKernel<std::uint32_t*, std::int64_t, std::int64_t, std::int64_t, std::int64_t> store_fields{
    "access_store_fields"};
inline constexpr CudaKernel<std::int64_t, std::int64_t, std::uint32_t*> banks{"access_banks"};

}  // namespace ridge::access
