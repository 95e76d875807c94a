// What the kernels of wgmma.cu and tcgen05.cu share: bringing both operands into shared memory as tile_layout.hpp says.
#pragma once

#include "kernels/roofline/tile_kernels.hpp"

namespace ridge::roofline {

// 16 bytes each. Descriptors hold addresses without their lowest four bits; core matrices lie in runs of 128 bytes.
struct Tile {
  alignas(128) uint4 left[tile_chunks * tile_m];
  alignas(128) uint4 right[tile_chunks * tile_n];
};

__device__ inline void place(uint4* dst, const void* src, int rows) {
  const auto* const pieces = static_cast<const uint4*>(src);
  for (int i = static_cast<int>(threadIdx.x); i < rows * tile_chunks; i += static_cast<int>(blockDim.x))
    dst[piece_at(i / tile_chunks, i % tile_chunks, rows)] = pieces[i];
}

// The matrix units read shared memory by another way (proxy) than threads write it: the fence makes it one.
__device__ inline void fill(Tile& tile, const void* a, const void* b) {
  place(tile.left, a, tile_m);
  place(tile.right, b, tile_n);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}

__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// Of slab s.
__device__ inline std::uint32_t slab_address(const uint4* tile, int slab, int rows) {
  return shared_address(tile + piece_at(0, 2 * slab, rows));
}

}  // namespace ridge::roofline
