// The contract of the CUDA kernels of divergence.cu; divergence.hpp says what they compute.
#pragma once

#include <cstdint>

#include "kernels/device/cuda/kernel.hpp"
#include "kernels/divergence/divergence.hpp"

// branch, loop (in, out, by_warp, paths, rounds, factor)
//   Any number of blocks of `threads` threads; in and out hold one value for each thread of the grid. by_warp is 1 for
//   Split::warp, 0 for Split::lane. factor is 1: as an argument, or the compiler would leave out multiplying by it.
namespace ridge::divergence {

using CudaKernel = device::cuda::Kernel<const float*, float*, int, int, int, float>;
inline constexpr CudaKernel cuda_branch{"divergence_branch"};
inline constexpr CudaKernel cuda_loop{"divergence_loop"};

}  // namespace ridge::divergence
