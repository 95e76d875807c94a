// The table of facts of an operation.
#include <fmt/format.h>

#include "collectives/communicator/threads.hpp"
#include "collectives/family/analysis.hpp"
#include "collectives/family/family.hpp"
#include "collectives/family/points.hpp"
#ifdef RIDGE_WITH_NCCL
#include "collectives/nccl/cuda_case.hpp"
#endif

namespace ridge::bench::collective {
namespace {

using collectives::Extent;
using collectives::Operation;

std::vector<std::string> algorithm_names(const Operation& operation) {
  std::vector<std::string> names;
  for (const collectives::Algorithm* algorithm : operation.algorithms()) names.emplace_back(algorithm->name);
  names.emplace_back("library");
  return names;
}

// The first of the list and, where there is another that passes messages, that.
std::string usual_algorithms(const Operation& operation) {
  const auto algorithms = operation.algorithms();
  std::string names(algorithms[0]->name);
  if (algorithms.size() > 1) names += fmt::format(",{}", algorithms[1]->name);
  return names;
}

std::vector<Axis> axes(const Operation& operation) {
  std::vector<Axis> all;
  if (operation.out != Extent::none) {
    // A block for each of 64 ranks has whole elements from 1 KiB on.
    const char* const sizes =
        operation.splits ? "1Ki,16Ki,256Ki,1Mi,2Mi,16Mi,32Mi,64Mi" : "8,1Ki,16Ki,256Ki,1Mi,2Mi,16Mi,32Mi,64Mi";
    const char* const size_help =
        operation.splits ? "bytes of a rank's larger array, a block for each rank" : "bytes of each rank's array";
    all.push_back({"size", "B", size_help, AxisKind::bytes, sizes, {}});
    all.push_back({"dtype",
                   "",
                   "type of the elements",
                   AxisKind::choice,
                   "f32",
                   {"f32", "f64", "f16", "bf16", "int32", "e4m3", "e5m2"}});
  }
  if (operation.joins)
    all.push_back({"op", "", "how elements are joined", AxisKind::choice, "sum", {"sum", "max", "min"}});
  if (operation.has_place)
    all.push_back({"place", "", "whether the result replaces the input", AxisKind::choice, "out", {"in", "out"}});
  Axis ranks{"ranks", "", "ranks: threads on CPUs of their own, processes, or GPUs", AxisKind::count, "all", {}};
  ranks.most = collectives::most_ranks;
  all.push_back(std::move(ranks));
  // GPUs have one engine, NCCL, which chooses the algorithm itself.
  all.push_back({"engine",
                 "",
                 "what ranks are: threads, or processes under mpirun or srun",
                 AxisKind::choice,
                 "threads",
                 {"threads", "mpi"},
                 device::Kind::cpu});
  all.push_back({"algorithm", "", "how it is done; library: as the engine's library does", AxisKind::choice,
                 usual_algorithms(operation), algorithm_names(operation), device::Kind::cpu});
  return all;
}

Explanation explain(const Operation& operation, const Words& words) {
  Explanation text;
  text.measures =
      words.measures +
      " Ranks are threads of one process, on CPUs of their own, or (engine mpi) the processes that mpirun or "
      "srun starts. Algorithms are the textbook's, over messages; `direct` needs none, where ranks share "
      "memory; `library` is the engine's own.";
  text.formula = fmt::format("time of one {}, back to back with the next, n ranks, until the last rank is through.",
                             operation.name);
  if (!words.why_bus.empty())
    text.formula += fmt::format(
        " algbw = size / time. busbw = algbw · {}: {}. predicted_time = α + size / rate, fitted to the sizes of this "
        "run for each algorithm.",
        operation.bus_formula, words.why_bus);
  if (operation.joins)
    text.formula +=
        " join_rate is what a rank joins a second by itself, all ranks at once: by it the model tells moving from "
        "joining.";
  text.formula +=
      " time_p95 is of single passages, of the rank that is in one longest; latest_rank is the one that the others "
      "wait for "
      "longest, and is named where that is more than a standard deviation and 10 %, again and again.";
  text.counting = words.why_bus.empty()
                      ? "nothing is moved: the figure is the time"
                      : "bandwidth counts each rank's input read once and its result written once, the least that any "
                        "algorithm does; what one moves besides is its own affair";
  text.spoil =
      "More ranks than cores: they wait for each other's turn (suspect). Arrays that fit in a cache, compared "
      "with ones that do not. Averages over sizes. " +
      words.spoil;
  text.normal = words.normal;
  return text;
}

}  // namespace

Definition define(const Operation& operation, const Words& words) {
  Definition d;
  d.name = operation.name;
  d.summary = words.summary;
  d.axes = axes(operation);
  const bool moves = operation.out != Extent::none;
  d.over_a_link = !moves;
  if (moves) d.metrics = {{"bandwidth", record::Unit::bytes_per_second, record::Better::higher, Rate::bytes}};
  d.metrics.push_back({"time", record::Unit::seconds, record::Better::lower, Rate::time});
  d.explanation = explain(operation, words);
  const auto trail = std::make_shared<Trail>();
  d.analysis = analysis(operation, trail);
  d.work = [&operation](const record::Point& point) { return work(operation, point); };
  d.buffers = [&operation](const record::Point& point) { return buffers(operation, point); };
  d.unsupported = [&operation](const record::Point& point) { return unsupported_by_threads(operation, point); };
  d.prepare_cpu = [&operation, trail](CpuContext& context, const record::Point& point) {
    return prepare_threads(operation, context, point, trail);
  };
#ifdef RIDGE_WITH_NCCL
  if (moves)
    d.prepare_cuda = [&operation](CudaContext& context, const record::Point& point) {
      collectives::Job job = job_of(operation, point);
      job.seed = context.seed;
      job.zero = context.fill == Fill::zero;
      return prepare_nccl(context, job, work(operation, point));
    };
#endif
  return d;
}

}  // namespace ridge::bench::collective
