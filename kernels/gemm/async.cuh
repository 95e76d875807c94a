// Copies from device to shared memory that pass no register, for kernels that compute meanwhile.
#pragma once

#include <cstdint>

namespace ridge::gemm {

__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// `bytes` (4 or 16) to dst from src, or zeroes where not `real`: src is then not read.
template <int bytes>
__device__ inline void copy_async(void* dst, const void* src, bool real) {
  static_assert(bytes == 4 || bytes == 16, "what cp.async moves past the registers of a thread at a time here");
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared_address(dst)), "l"(src), "n"(bytes),
               "r"(real ? bytes : 0)
               : "memory");
}
// Closes a group of copies, which may be empty.
__device__ inline void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
// Waits for this thread's copies, but those of the last `open` groups.
template <int open>
__device__ inline void wait_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(open) : "memory");
}

// Where element i of this thread's of a piece of shared memory with rows of `across` lies, of which a thread has every
// threads-th. Unsigned, so that divisions are shifts.
struct Slot {
  int row, column;
};
template <int across>
__device__ inline Slot slot(unsigned i) {
  return {static_cast<int>(i / across), static_cast<int>(i % across)};
}

// The first row and column of C of a block's tile.
struct Tile {
  int row, column;
};
template <int rows, int columns>
__device__ inline Tile tile_of_block(int n) {
  const unsigned across = (static_cast<unsigned>(n) + columns - 1) / columns;
  return {static_cast<int>(blockIdx.x / across) * rows, static_cast<int>(blockIdx.x % across) * columns};
}

}  // namespace ridge::gemm
