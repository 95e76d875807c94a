// Lanes of a warp on different paths.
#include "kernels/divergence/divergence_kernels.hpp"

namespace {

__device__ unsigned thread_of_grid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ int path_of(unsigned thread, int by_warp, int paths) {
  constexpr unsigned lanes = ridge::divergence::lanes;
  return static_cast<int>((by_warp != 0 ? thread / lanes : thread % lanes) % static_cast<unsigned>(paths));
}

// A round is not unrolled into the next: lanes of different lengths then leave where their own rounds end.
__device__ float chain(float value, int rounds, float factor, float summand) {
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int step = 0; step < ridge::divergence::steps_of_round; ++step) value = fmaf(value, factor, summand);
  }
  return value;
}

__device__ float summand_of(int path) {
  return static_cast<float>(2 * path + 1);
}

}  // namespace

extern "C" __global__ void divergence_branch(const float* in, float* out, int by_warp, int paths, int rounds,
                                             float factor) {
  const unsigned thread = thread_of_grid();
  const int mine = path_of(thread, by_warp, paths);
  float value = in[thread];
  // Unrolled: each path is code of its own, with its summand in it, so that lanes on two of them cannot meet in one.
#pragma unroll
  for (int path = 0; path < ridge::divergence::most_paths; ++path)
    if (path == mine) value = chain(value, rounds, factor, summand_of(path));
  out[thread] = value;
}
RIDGE_KERNEL_MATCHES(divergence_branch, ridge::divergence::cuda_branch);

extern "C" __global__ void divergence_loop(const float* in, float* out, int by_warp, int paths, int rounds,
                                           float factor) {
  const unsigned thread = thread_of_grid();
  const int path = path_of(thread, by_warp, paths);
  out[thread] = chain(in[thread], rounds * (path + 1) / paths, factor, summand_of(path));
}
RIDGE_KERNEL_MATCHES(divergence_loop, ridge::divergence::cuda_loop);
