// What a point of the family means, and its work.
#pragma once

#include "bench/harness/definition.hpp"
#include "kernels/divergence/divergence.hpp"

namespace ridge::bench::divergence {

// Multiply-adds of the longest chain, 16 to a round. With those of as many warps as fit on a GPU, far above launching.
inline constexpr int rounds = 64;

ridge::divergence::Task task_of(ridge::divergence::Kind kind, const record::Point& point);

// Of that many threads, a multiple of 32.
record::Work work_of(const ridge::divergence::Task& task, std::int64_t count);

#if RIDGE_WITH_CUDA
std::unique_ptr<Case> prepare_cuda(ridge::divergence::Kind kind, CudaContext& context, const record::Point& point);
#endif

}  // namespace ridge::bench::divergence
