// The table of facts of the divergence family.
#include "bench/divergence/definition.hpp"

#include "bench/divergence/analysis.hpp"
#include "bench/divergence/points.hpp"

namespace ridge::bench::divergence {
namespace {

using ridge::divergence::Kind;

std::vector<Axis> axes() {
  Axis paths{"paths", "", "paths that threads are dealt out to", AxisKind::count, "1,2,4,8,16,32", {}};
  paths.most = ridge::divergence::most_paths;
  return {paths,
          {"by",
           "",
           "dealt out lane by lane, which splits each warp, or warp by warp, which splits none",
           AxisKind::choice,
           "lane,warp",
           {"lane", "warp"}}};
}

Explanation explanation(Kind kind) {
  Explanation text;
  text.measures =
      kind == Kind::branch
          ? "What it costs that the lanes of a warp take different branches: a warp has one instruction "
            "counter for what its lanes do together, so it does one path after the other."
          : "What it costs that the lanes of a warp do loops of different lengths: a warp goes on until its "
            "longest lane is done.";
  text.formula =
      std::string(
          "flops = 2 · multiply-adds of all threads / seconds. predicted_floating_warp_efficiency, the share of its 32 "
          "lanes that a warp's multiply-add uses = ") +
      (kind == Kind::branch ? "1 / paths by lane"
                            : "Σ of the lanes' rounds / (32 · the longest lane's rounds) by lane") +
      ", 1 by warp. predicted_flops = flops of one path in the same run · predicted_floating_warp_efficiency.";
  text.counting =
      "Multiply-adds of the chains, two operations each, and each value read and written once; not the comparisons and "
      "jumps around them. On the reference machine floating_warp_efficiency is counted: lanes that executed a "
      "floating-point instruction over 32 · such instructions of warps. warp_efficiency is the same over all "
      "instructions, and higher: those that choose the path are executed by all lanes.";
  text.spoil =
      "Paths so short that the compiler turns them into predicated instructions, or so alike that it makes one of "
      "them: "
      "here each is a loop with a summand of its own. Threads dealt out so that a warp has one path after all: then by "
      "lane is as fast as by warp. Too few warps to hide the latency of a chain.";
  text.normal =
      "By warp the rate of one path, whatever the number of paths. By lane that rate times the efficiency: 1/32 with "
      "32 "
      "branches. Counted on the reference machine, where it is exactly that; never run on a GPU by us.";
  return text;
}

Definition define(Kind kind, const char* name, const char* summary) {
  Definition d;
  d.name = std::string("divergence.") + name;
  d.summary = summary;
  d.axes = axes();
  d.metrics = {{"flops", record::Unit::flop_per_second, record::Better::higher, Rate::operations},
               {"time", record::Unit::seconds, record::Better::lower, Rate::time}};
  d.explanation = explanation(kind);
  d.counted_example = {{"paths", "1,2,3,8,32"}, {"by", "all"}};
  d.analysis = analysis();
  // Of one block; the case, which knows the GPU, says how many there are.
  d.work = [kind](const record::Point& point) {
    record::Work work = work_of(task_of(kind, point), ridge::divergence::threads);
    work.counting += "; one block, on a GPU as many as it holds at once";
    return work;
  };
  d.buffers = [](const record::Point&) {
    return std::vector<std::int64_t>{2 * std::int64_t{ridge::divergence::threads} * 4};
  };
#if RIDGE_WITH_CUDA
  d.prepare_cuda = [kind](CudaContext& context, const record::Point& point) {
    return prepare_cuda(kind, context, point);
  };
#endif
  return d;
}

}  // namespace

ridge::divergence::Task task_of(Kind kind, const record::Point& point) {
  using ridge::divergence::Split;
  return {kind, point.text("by") == "warp" ? Split::warp : Split::lane, static_cast<int>(point.integer("paths")),
          rounds};
}

record::Work work_of(const ridge::divergence::Task& task, std::int64_t count) {
  record::Work work;
  work.operations = 2 * ridge::divergence::multiply_adds(task, count);
  work.bytes_read = count * 4;
  work.bytes_written = count * 4;
  work.items = count;
  work.counting = "multiply-adds of every thread's chain, two operations each; each value read and written once";
  return work;
}

std::vector<Definition> definitions() {
  return {define(Kind::branch, "branch", "Lanes of a warp on 1 to 32 branches, one after the other"),
          define(Kind::loop, "loop", "Lanes of a warp in loops of 1 to 32 lengths, until the longest is done")};
}

}  // namespace ridge::bench::divergence
