// A GPU's memory taken apart: one thread's chase through device and shared memory, all threads' reads of shared memory,
// and reads with a stated number of bytes in flight.
#include <cstdint>

#include "kernels/chase/chase_kernels.hpp"

namespace {

// What a thread found joined over its block, at most 32 warps; the result is the first thread's.
template <class V, class F>
__device__ V join_block(V value, F join) {
  __shared__ V of_warp[32];
  const unsigned lane = threadIdx.x % 32;
  for (int step = 16; step > 0; step /= 2) value = join(value, __shfl_down_sync(0xffffffffu, value, step));
  if (lane == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = lane < blockDim.x / 32 ? of_warp[lane] : V{};
    for (int step = 16; step > 0; step /= 2) value = join(value, __shfl_down_sync(0xffffffffu, value, step));
  }
  return value;
}

// A link, by its own address: through a pointer the compiler would ask each time which memory it leads to, or add where
// shared memory begins. `volatile` keeps the chain in order, "memory" behind what was written before it.
__device__ std::uint64_t device_link(std::uint64_t address) {
  std::uint64_t next;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(address) : "memory");
  return next;
}
__device__ std::uint32_t shared_link(std::uint32_t address) {
  std::uint32_t next;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(next) : "r"(address) : "memory");
  return next;
}

__device__ void add(std::uint64_t& sum, const ulonglong2& piece) {
  asm volatile("add.u64 %0, %0, %1;\n\tadd.u64 %0, %0, %2;" : "+l"(sum) : "l"(piece.x), "l"(piece.y));
}

template <int loads>
__device__ void read_in_flight(const void* data, std::int64_t windows, std::int64_t rounds, std::uint64_t* partial) {
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const auto* const begin =
      static_cast<const ulonglong2*>(data) + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const ulonglong2* at = begin;
  std::int64_t left = windows;
  std::uint64_t found = 0;
  // A warp issues in order: its first use of a piece waits for that piece, and no load of the next round is before it.
#pragma unroll 1
  for (std::int64_t round = 0; round < rounds; ++round) {
    ulonglong2 piece[loads];
#pragma unroll
    for (int l = 0; l < loads; ++l) piece[l] = at[l * threads];
      // Added up from the last piece on, in an order that the compiler may not change: so none is used, and its
      // registers free again, before all have been asked for.
#pragma unroll
    for (int l = loads - 1; l >= 0; --l) add(found, piece[l]);
    at += loads * threads;
    if (--left == 0) at = begin, left = windows;
  }
  found = join_block(found, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  if (threadIdx.x == 0) partial[blockIdx.x] = found;
}

}  // namespace

extern "C" __global__ void chase_device(const std::uint64_t* lines, std::int64_t warmed, std::int64_t hops,
                                        std::uint64_t* at) {
  constexpr std::int64_t line = ridge::chase::cuda_line_bytes / 8;
  std::uint64_t mixed = 0;
  for (std::int64_t i = threadIdx.x; i < warmed; i += 32) mixed |= lines[i * line];
  __syncwarp();
  if (threadIdx.x != 0) {
    if (mixed == ~std::uint64_t{0}) at[0] = 0;  // never, for addresses are even: it keeps the reads above
    return;
  }
  std::uint64_t now = at[0];
#pragma unroll 16
  for (std::int64_t hop = 0; hop < hops; ++hop) now = device_link(now);
  at[0] = now;
}
RIDGE_KERNEL_MATCHES(chase_device, ridge::chase::chase_device);

extern "C" __global__ void chase_shared(const std::uint32_t* next, std::int64_t words, std::int64_t hops,
                                        std::uint32_t* at) {
  __shared__ std::uint32_t links[ridge::chase::shared_words];
  const auto begin = static_cast<std::uint32_t>(__cvta_generic_to_shared(links));
  for (std::int64_t i = threadIdx.x; i < words; i += 32) links[i] = begin + next[i];
  __syncwarp();
  if (threadIdx.x != 0) return;
  std::uint32_t now = begin + at[0];
#pragma unroll 16
  for (std::int64_t hop = 0; hop < hops; ++hop) now = shared_link(now);
  at[0] = now - begin;
}
RIDGE_KERNEL_MATCHES(chase_shared, ridge::chase::chase_shared);

extern "C" __global__ void read_shared(std::int64_t words, std::int64_t passes, std::uint32_t* partial) {
  __shared__ __align__(16) std::uint32_t held[ridge::chase::shared_words];
  for (std::int64_t i = threadIdx.x; i < words; i += blockDim.x) {
    const std::uint32_t x = static_cast<std::uint32_t>(i + 1) * ridge::chase::shared_factor;
    held[i] = x ^ x >> 15;
  }
  __syncthreads();
  const auto pieces = static_cast<int>(words / 4);  // of 16 bytes
  const auto* const at = reinterpret_cast<const uint4*>(held);
  std::uint32_t sum = 0;
#pragma unroll 1
  for (std::int64_t pass = 0; pass < passes; ++pass) {
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.x); i < pieces; i += static_cast<int>(blockDim.x)) {
      const uint4 piece = at[i];
      sum += piece.x + piece.y + piece.z + piece.w;
    }
  }
  sum = join_block(sum, [](std::uint32_t a, std::uint32_t b) { return a + b; });
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}
RIDGE_KERNEL_MATCHES(read_shared, ridge::chase::read_shared);

#define RIDGE_READ_IN_FLIGHT(loads)                                                                              \
  extern "C" __global__ void read_in_flight_##loads(const void* data, std::int64_t windows, std::int64_t rounds, \
                                                    std::uint64_t* partial) {                                    \
    read_in_flight<loads>(data, windows, rounds, partial);                                                       \
  }                                                                                                              \
  RIDGE_KERNEL_MATCHES(read_in_flight_##loads, ridge::chase::read_in_flight_##loads)

RIDGE_READ_IN_FLIGHT(1);
RIDGE_READ_IN_FLIGHT(2);
RIDGE_READ_IN_FLIGHT(4);
