// Atomic additions on device memory and on shared memory. What was found is used, so that no addition can be left to
// the memory without an answer, nor a warp's lanes be added up before: each addition is one of its own.
#include "kernels/atomics/atomics_kernels.hpp"

namespace {

__device__ unsigned thread_of_grid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ std::uint64_t count(std::uint32_t* counter, int times) {
  std::uint64_t found = 0;
#pragma unroll 4
  for (int i = 0; i < times; ++i) found += atomicAdd(counter, 1U);
  return found;
}

}  // namespace

extern "C" __global__ void atomics_add(std::uint32_t* counters, unsigned sharing, unsigned apart, int times,
                                       std::uint64_t* found) {
  const unsigned thread = thread_of_grid();
  found[thread] = count(counters + static_cast<std::uint64_t>(thread / sharing) * apart, times);
}
RIDGE_KERNEL_MATCHES(atomics_add, ridge::atomics::cuda_add);

extern "C" __global__ void atomics_shared(unsigned sharing, int times, std::uint64_t* found, std::uint32_t* counters) {
  __shared__ std::uint32_t mine[ridge::atomics::threads];
  const unsigned thread = thread_of_grid();
  mine[threadIdx.x] = 0;
  __syncthreads();
  found[thread] = count(mine + threadIdx.x / sharing, times);
  __syncthreads();
  counters[thread] = mine[threadIdx.x];
}
RIDGE_KERNEL_MATCHES(atomics_shared, ridge::atomics::cuda_shared);
