// The contract of the CUDA kernels of transpose.cu; transpose.hpp says what they compute.
#pragma once

#include <cstdint>

#include "kernels/device/cuda/kernel.hpp"
#include "kernels/transpose/transpose.hpp"

// in, out (n, n). A one-dimensional grid of blocks_of(n) blocks of `threads` threads: a block for each tile.
namespace ridge::transpose {

inline constexpr unsigned threads = 256;  // eight rows of a tile at a time

inline std::int64_t blocks_of(std::int64_t n) {
  const std::int64_t tiles = (n + tile - 1) / tile;
  return tiles * tiles;
}

using CudaKernel = device::cuda::Kernel<const std::uint32_t*, std::uint32_t*, std::int64_t>;

inline constexpr CudaKernel cuda_naive{"transpose_naive"};
inline constexpr CudaKernel cuda_tiled{"transpose_tiled"};
inline constexpr CudaKernel cuda_padded{"transpose_padded"};
inline constexpr CudaKernel cuda_swizzled{"transpose_swizzled"};

}  // namespace ridge::transpose
