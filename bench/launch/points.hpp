// What a point of the family means.
#pragma once

#include "bench/harness/definition.hpp"

namespace ridge::bench::launch {

// How kernels are launched, and by what they are timed.
enum class Way {
  event,   // one between two events, then wait for both
  wall,    // one, then wait for it, by the host's clock
  queued,  // one after the other without waiting, by events around all
  graph,   // graph_launches of them in one graph, by events around all
};

inline constexpr std::int64_t graph_launches = 64;

Way way_of(const record::Point& point);
std::int64_t arguments_of(const record::Point& point);
// In one repetition.
std::int64_t launches_of(Way way);

// How the steps of a small computation, each of which needs the one before, are had.
enum class StepWay {
  stream,      // a kernel for each, one behind the other
  graph,       // the same in one graph
  persistent,  // one kernel that does them all, its threads meeting in between
};
StepWay step_way_of(const record::Point& point);
// Kernels that a repetition launches.
std::int64_t step_launches(const record::Point& point);

std::unique_ptr<Case> prepare_fork_join(CpuContext& context, const record::Point& point);
#if RIDGE_WITH_CUDA
std::unique_ptr<Case> prepare_empty(CudaContext& context, const record::Point& point);
std::unique_ptr<Case> prepare_steps(CudaContext& context, const record::Point& point);
#endif

}  // namespace ridge::bench::launch
