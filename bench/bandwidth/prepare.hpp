// What the definitions are prepared by, one function for each kind of device.
#pragma once

#include "bench/harness/definition.hpp"
#include "kernels/stream/stream.hpp"

namespace ridge::bench::bandwidth {

// Bytes behind every array, poison behind a target and decoys behind what is read: a kernel that goes there is seen, by
// what it left there or by a wrong result.
inline constexpr std::int64_t guard_bytes = 64;

std::int64_t element_bytes(const record::Point& point);
// Elements of each array: `size` rounded down to whole elements.
std::int64_t element_count(const record::Point& point);
// How many GPUs work at once; 1 on a CPU.
std::int64_t gpu_count(const record::Point& point);

std::unique_ptr<Case> prepare_cpu(stream::Op op, CpuContext& context, const record::Point& point);
#if RIDGE_WITH_CUDA
std::unique_ptr<Case> prepare_cuda(stream::Op op, CudaContext& context, const record::Point& point);
#endif

}  // namespace ridge::bench::bandwidth
