// Kernels that help measuring: a gate that holds a stream back, a spin that shows the SM clock, a read that empties L2.
#include <cstdint>

#include "kernels/device/cuda/timing_kernels.hpp"

namespace {

__device__ std::uint64_t global_nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

}  // namespace

// An interval is queued behind this kernel, so that all its launches are in the stream before the first one runs.
// Bounded, for a host that died or that waits for the stream would otherwise leave the GPU busy for ever.
extern "C" __global__ void ridge_gate_wait(const volatile std::uint32_t* open, std::uint32_t* timed_out,
                                           std::uint64_t limit) {
  const std::uint64_t start = global_nanoseconds();
  while (*open == 0) {
    if (global_nanoseconds() - start > limit) {
      *timed_out = 1;
      return;
    }
  }
}
RIDGE_KERNEL_MATCHES(ridge_gate_wait, ridge::device::cuda::gate_wait_kernel);

// The effective clock of the SM it runs on is cycles / ns: without NVML, and true for what just ran rather than for a
// setting. The global timer steps in up to a microsecond, so the spin is some hundred of those.
extern "C" __global__ void ridge_spin_clock(std::uint64_t duration, std::uint64_t* result) {
  const std::uint64_t start = global_nanoseconds();
  const long long cycles = clock64();
  std::uint64_t now = start;
  while (now - start < duration) now = global_nanoseconds();
  result[0] = static_cast<std::uint64_t>(clock64() - cycles);
  result[1] = now - start;
}
RIDGE_KERNEL_MATCHES(ridge_spin_clock, ridge::device::cuda::spin_clock_kernel);

// Reading, not writing: lines that were written would have to be written back during the interval that follows.
extern "C" __global__ void ridge_flush_read(const void* data, std::int64_t count, std::uint32_t* sink) {
  const auto* const values = static_cast<const uint4*>(data);
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::uint32_t mixed = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const uint4 v = values[i];
    mixed ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  if (mixed == 0x9e3779b9u) *sink = mixed;
}
RIDGE_KERNEL_MATCHES(ridge_flush_read, ridge::device::cuda::flush_read_kernel);
