// What the definitions are prepared by, one function for each kind of device, and what a point says.
#pragma once

#include <vector>

#include "bench/harness/definition.hpp"

namespace ridge::bench::hierarchy {

// Loads of one repetition of a chase, all chains together: so many that starting it is nothing, and few enough that the
// memory level needs some milliseconds. A launch on a GPU takes as long as a hundred loads from its memory.
inline constexpr std::int64_t cpu_loads = 16384;
inline constexpr std::int64_t cuda_loads = 131072;

// Rounds of one repetition of hierarchy.in_flight, each of which waits for its loads.
inline constexpr std::int64_t in_flight_rounds = 1024;
// How often each block of hierarchy.shared_bandwidth reads its shared memory in one repetition.
inline constexpr std::int64_t shared_passes = 256;

// Between two lines of a chase on a GPU: a line of its first level.
inline constexpr std::int64_t cuda_line_bytes = 128;

// Whether the point is one of the CPU's: only there are pages a choice.
bool on_cpu(const record::Point& point);
// 1 where the point has no such axis.
std::int64_t chains_of(const record::Point& point);
// Between two lines of a chase: 64 on the CPU, 128 on a GPU.
std::int64_t line_bytes_of(const record::Point& point);
// Whole lines of `size`.
std::int64_t lines_of(const record::Point& point);
// Words of 4 bytes of shared memory.
std::int64_t words_of(const record::Point& point);

std::unique_ptr<Case> prepare_chase_cpu(CpuContext& context, const record::Point& point);

#if RIDGE_WITH_CUDA
std::unique_ptr<Case> prepare_chase_cuda(CudaContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_shared_latency(CudaContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_shared_bandwidth(CudaContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_in_flight(CudaContext& context, const record::Point& point);
// The benchmarks that only a GPU has.
std::vector<Definition> cuda_definitions(const std::shared_ptr<const Analysis>& analysis);
#endif

}  // namespace ridge::bench::hierarchy
