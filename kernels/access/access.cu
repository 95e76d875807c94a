// Patterned, indexed and structured loads and stores on the GPU, one item a thread and step; reads of shared memory.
#include "kernels/access/access_kernels.hpp"

namespace {

using ridge::access::Wide;

__device__ std::int64_t first() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::int64_t step() {
  return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

// What a block's threads found, to partial[block]; with no place for it nothing, so that a kernel asks memory for what
// it measures and for nothing else.
__device__ void leave(std::uint64_t bits, const void* src, std::uint64_t* partial) {
  if (partial == nullptr) {
    // Once in 2^64, which no compiler knows: without a use of their values it would drop the loads.
    if (bits == 0x5AFE5AFE0DDBA115U) *static_cast<std::uint64_t*>(const_cast<void*>(src)) = bits;
    return;
  }
  __shared__ std::uint64_t of_warp[32];
  for (int apart = 16; apart > 0; apart /= 2) bits ^= __shfl_xor_sync(0xFFFFFFFFU, bits, apart);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = bits;
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) bits ^= of_warp[warp];
    partial[blockIdx.x] = bits;
  }
}

template <class T>
__device__ void load(const T* __restrict__ src, std::int64_t offset, std::int64_t stride, std::int64_t count,
                     std::uint64_t* __restrict__ partial) {
  std::uint64_t bits = 0;
#pragma unroll 4
  for (std::int64_t i = first(); i < count; i += step()) bits ^= ridge::access::spread(src[offset + i * stride], i);
  leave(bits, src, partial);
}

template <class T>
__device__ void store(T* __restrict__ dst, std::int64_t offset, std::int64_t stride, std::int64_t count) {
  for (std::int64_t i = first(); i < count; i += step()) dst[offset + i * stride] = ridge::access::pattern<T>(i);
}

template <class T>
__device__ void gather(const T* __restrict__ src, const std::uint32_t* __restrict__ index, std::int64_t count,
                       std::uint64_t* __restrict__ partial) {
  std::uint64_t bits = 0;
#pragma unroll 4
  for (std::int64_t i = first(); i < count; i += step()) bits ^= ridge::access::turned(src[index[i]], i);
  leave(bits, src, partial);
}

template <class T>
__device__ void scatter(T* __restrict__ dst, const std::uint32_t* __restrict__ index, std::int64_t count) {
  for (std::int64_t i = first(); i < count; i += step()) dst[index[i]] = ridge::access::pattern<T>(i);
}

}  // namespace

#define RIDGE_ACCESS_KERNELS(T, width)                                                                   \
  extern "C" __global__ void access_load_##width(const T* src, std::int64_t offset, std::int64_t stride, \
                                                 std::int64_t count, std::uint64_t* partial) {           \
    load(src, offset, stride, count, partial);                                                           \
  }                                                                                                      \
  extern "C" __global__ void access_store_##width(T* dst, std::int64_t offset, std::int64_t stride,      \
                                                  std::int64_t count) {                                  \
    store(dst, offset, stride, count);                                                                   \
  }                                                                                                      \
  RIDGE_KERNEL_MATCHES(access_load_##width, ridge::access::cuda_##width.load);                           \
  RIDGE_KERNEL_MATCHES(access_store_##width, ridge::access::cuda_##width.store)

RIDGE_ACCESS_KERNELS(std::uint8_t, 1);
RIDGE_ACCESS_KERNELS(std::uint16_t, 2);
RIDGE_ACCESS_KERNELS(std::uint32_t, 4);
RIDGE_ACCESS_KERNELS(std::uint64_t, 8);
RIDGE_ACCESS_KERNELS(Wide, 16);

#define RIDGE_INDEXED_KERNELS(T, width)                                                                          \
  extern "C" __global__ void access_gather_##width(const T* src, const std::uint32_t* index, std::int64_t count, \
                                                   std::uint64_t* partial) {                                     \
    gather(src, index, count, partial);                                                                          \
  }                                                                                                              \
  extern "C" __global__ void access_scatter_##width(T* dst, const std::uint32_t* index, std::int64_t count) {    \
    scatter(dst, index, count);                                                                                  \
  }                                                                                                              \
  RIDGE_KERNEL_MATCHES(access_gather_##width, ridge::access::cuda_indexed_##width.gather);                       \
  RIDGE_KERNEL_MATCHES(access_scatter_##width, ridge::access::cuda_indexed_##width.scatter)

RIDGE_INDEXED_KERNELS(std::uint32_t, 4);
RIDGE_INDEXED_KERNELS(std::uint64_t, 8);
RIDGE_INDEXED_KERNELS(Wide, 16);

extern "C" __global__ void access_load_fields(const std::uint32_t* __restrict__ src, std::int64_t items,
                                              std::int64_t per_item, std::int64_t per_field, std::int64_t used,
                                              std::uint64_t* __restrict__ partial) {
  std::uint64_t bits = 0;
  for (std::int64_t i = first(); i < items; i += step()) {
#pragma unroll 4
    for (std::int64_t f = 0; f < used; ++f)
      bits ^= ridge::access::rotated(ridge::access::spread(src[i * per_item + f * per_field], i),
                                     ridge::access::turn_of_field(f));
  }
  leave(bits, src, partial);
}
RIDGE_KERNEL_MATCHES(access_load_fields, ridge::access::load_fields);

extern "C" __global__ void access_store_fields(std::uint32_t* __restrict__ dst, std::int64_t items,
                                               std::int64_t per_item, std::int64_t per_field, std::int64_t used) {
  for (std::int64_t i = first(); i < items; i += step())
    for (std::int64_t f = 0; f < used; ++f) dst[i * per_item + f * per_field] = ridge::access::field_value(i, f);
}
RIDGE_KERNEL_MATCHES(access_store_fields, ridge::access::store_fields);

// The first words again behind the last, so that a lane's next words lie at constant distances and no arithmetic on
// addresses competes with the loads.
extern "C" __global__ void access_banks(std::int64_t stride, std::int64_t rounds, std::uint32_t* __restrict__ partial) {
  constexpr auto held = static_cast<std::uint32_t>(ridge::access::bank_words);
  constexpr std::uint32_t at_once = ridge::access::bank_steps;
  __shared__ std::uint32_t words[held + at_once];
  __shared__ std::uint32_t of_warp[32];
  for (std::uint32_t word = threadIdx.x; word < held + at_once; word += blockDim.x)
    words[word] = ridge::access::bank_word(word % held);
  __syncthreads();
  std::uint32_t at = threadIdx.x % 32 * static_cast<std::uint32_t>(stride);
  std::uint32_t sum = 0;
#pragma unroll 1
  for (std::int64_t round = 0; round < rounds; ++round, at += at_once) {
    const std::uint32_t* const from = words + at % held;
#pragma unroll
    for (std::uint32_t s = 0; s < at_once; ++s) sum += from[s];
  }
  sum *= ridge::access::weight_of_thread(threadIdx.x);
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xFFFFFFFFU, sum, apart);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) sum += of_warp[warp];
    partial[blockIdx.x] = sum;
  }
}
RIDGE_KERNEL_MATCHES(access_banks, ridge::access::banks);
