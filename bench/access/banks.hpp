// access.banks: the definition's functions.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::access {

// Steps of 32 lanes that every warp of a repetition takes: enough that filling shared memory is little beside them.
inline constexpr std::int64_t bank_rounds = 64;  // of bank_steps

record::Work banks_work(const record::Point& point);  // of one block; how many fill a GPU the case says
std::vector<std::int64_t> banks_buffers(const record::Point& point);
std::optional<std::string> banks_unsupported(const record::Point& point);
#if RIDGE_WITH_CUDA
std::unique_ptr<Case> prepare_banks_cuda(CudaContext& context, const record::Point& point);
#endif

}  // namespace ridge::bench::access
