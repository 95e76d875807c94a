// The table of facts of the fusion family.
#include "bench/fusion/definition.hpp"

#include <fmt/format.h>

#include "bench/fusion/analysis.hpp"
#include "bench/fusion/attention.hpp"
#include "bench/fusion/epilogue.hpp"
#include "bench/fusion/points.hpp"

namespace ridge::bench::fusion {
namespace {

std::vector<Axis> axes(const Facts& facts) {
  std::vector<Axis> all;
  if (facts.pair == ridge::fused::Pair::chain) {
    Axis ops{"ops", "", "elementwise operations, one after the other", AxisKind::count, "1,2,4,8,16", {}};
    ops.most = 1024;
    all.push_back(ops);
  }
  if (facts.pair == ridge::fused::Pair::bias_gelu)
    all.push_back({"dropout",
                   "",
                   "share of the elements that are dropped behind gelu: 0 leaves that step out",
                   AxisKind::choice,
                   "0,0.1",
                   {"0", "0.1", "0.2", "0.5"}});
  all.push_back({"side", "", "a pass for each step, or all in one", AxisKind::choice, "all", {"unfused", "fused"}});
  all.push_back({"size", "B", "bytes of x, or a level: L1, L2, L3, memory", AxisKind::bytes, "L2,memory", {}});
  all.push_back({"threads",
                 "",
                 "threads that share the rows, each on a CPU of its own",
                 AxisKind::count,
                 "all",
                 {},
                 device::Kind::cpu});
  return all;
}

Explanation explanation(const Facts& facts) {
  Explanation text;
  text.measures = fmt::format(
      "What it brings to do in one kernel what is otherwise a pass over memory for each step: {}. The passes are the "
      "best "
      "of their kind, in place and vectorised, as a framework would launch them one by one; both sides give the same "
      "result.",
      facts.formula);
  text.formula = fmt::format(
      "Unfused {} arrays are read and {} written{}, fused {} and {}. A side's predicted_time = the longer of "
      "bytes_time "
      "= bytes / bandwidth, bandwidth being that of fusion.chain with one operation in the same run and size, and of "
      "arithmetic_time = elements · what an element takes the same side in a warm cache; of passes, that one alone "
      "that "
      "computes exponentials is weighed against the arithmetic, and the others take their bytes. speedup = time "
      "unfused / time fused, beyond the caches; predicted_speedup is the ratio of the predicted times; roof_share = "
      "predicted / measured time of one side; share_of_prediction = speedup / predicted_speedup, and where it is off "
      "by "
      "a tenth or more a note says why.",
      facts.unfused_read, facts.unfused_written, facts.pair == ridge::fused::Pair::chain ? " for each operation" : "",
      facts.fused_read, facts.fused_written);
  text.counting =
      "f32; vectors as long as a row or a column are not counted. An exponential, a logarithm and a root are one "
      "operation each: what they really take is in the arithmetic term, which is measured. special_operations is what "
      "an exponential (or a random number) takes, in operations at the rate of the longest fused chain in a cache. On "
      "a "
      "GPU operations are those of its instructions: an exponential is the multiplication before ex2; on the reference "
      "machine bytes and operations are counted: byte_ratio, and predicted_speedup, is the ratio of all bytes counted, "
      "predicted_byte_ratio that of the arrays above";
  text.spoil =
      "Arrays that a cache holds: then a pass costs no memory traffic, and fusing saves little. Passes that are not in "
      "place or not vectorised: any fusion looks good against them. A bandwidth of another run.";
  text.normal =
      "The byte ratio, less where the fused side is bound by its arithmetic: exponentials on few cores. Below 1 it is "
      "printed as such. On GPUs the kernels are proven on the reference machine; never run on a GPU by us.";
  return text;
}

Definition define(const Facts& facts) {
  Definition d;
  d.name = fmt::format("fusion.{}", facts.name);
  d.summary = fmt::format("{}: pass after pass, and fused", facts.formula);
  d.axes = axes(facts);
  d.metrics = {{"time", record::Unit::seconds, record::Better::lower, Rate::time},
               {"bandwidth", record::Unit::bytes_per_second, record::Better::higher, Rate::bytes}};
  d.explanation = explanation(facts);
  d.analysis = analysis();
  d.work = [&facts](const record::Point& point) { return work(facts_at(facts, point), point); };
  d.buffers = [&facts](const record::Point& point) { return buffers(facts, point); };
  d.unsupported = unsupported;
  d.prepare_cpu = [&facts](CpuContext& context, const record::Point& point) {
    return prepare_cpu(facts, context, point);
  };
#if RIDGE_WITH_CUDA
  d.counted_example = {{"size", "256KiB"}, {"side", "all"}};
  if (facts.pair == ridge::fused::Pair::chain) d.counted_example["ops"] = "1,2,8";
  d.prepare_cuda = [&facts](CudaContext& context, const record::Point& point) {
    return prepare_cuda(facts, context, point);
  };
#endif
  return d;
}

}  // namespace

std::vector<Definition> definitions() {
  std::vector<Definition> all;
  for (const Facts& facts : ridge::fused::all_facts())
    if (facts.pair != ridge::fused::Pair::bias_gelu_dropout) all.push_back(define(facts));  // an axis of bias_gelu
  all.push_back(attention_definition());
  all.push_back(epilogue_definition());
  return all;
}

}  // namespace ridge::bench::fusion
