// What a point of the family means, and its work.
#pragma once

#include "bench/harness/definition.hpp"
#include "kernels/atomics/atomics.hpp"

namespace ridge::bench::atomics {

inline constexpr std::int64_t cpu_times = 1024;       // additions of each thread in a repetition
inline constexpr int cuda_times = 64;                 // of each of many more threads
inline constexpr std::int64_t handover_trips = 1024;  // round trips in a repetition
inline constexpr std::int64_t guard_bytes = 64;       // behind the counters: poison that nobody may change

ridge::atomics::Counters counters_of(const record::Point& point);

// Of that many threads, each adding `times`, on words of that many bytes.
record::Work work_of(std::int64_t threads, std::int64_t times, std::int64_t word_bytes);

// Adds `times` to a counter and returns the sum of what it found there; tests hand in wrong ones.
using Count = std::uint64_t (*)(std::uint64_t* counter, std::int64_t times);
std::unique_ptr<Case> prepare_count(CpuContext& context, const record::Point& point, Count count);

std::unique_ptr<Case> prepare_add_cpu(CpuContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_cas_cpu(CpuContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_handover_cpu(CpuContext& context, const record::Point& point);
#if RIDGE_WITH_CUDA
std::unique_ptr<Case> prepare_add_cuda(CudaContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_shared_cuda(CudaContext& context, const record::Point& point);
#endif

}  // namespace ridge::bench::atomics
