// The table of facts of the gemm family.
#include "bench/gemm/definition.hpp"

#include "bench/gemm/analysis.hpp"
#include "bench/gemm/case.hpp"
#include "bench/gemm/explanation.hpp"
#include "bench/gemm/points.hpp"
#if RIDGE_WITH_CUDA
#include "bench/gemm/cuda_case.hpp"
#endif

namespace ridge::bench::gemm {
namespace {

using record::Better;
using record::Unit;

Axis extent(const char* name, const char* help, const char* fallback) {
  Axis axis{name, "", help, AxisKind::count, fallback, {}};
  axis.most = 1 << 20;
  return axis;
}

std::vector<Axis> extents() {
  return {extent("m", "rows of A and C", "1024"), extent("n", "columns of B and C; m: as many as m", "m"),
          extent("k", "columns of A, rows of B; m: as many as m", "m")};
}

Axis types(std::vector<std::string> names, const char* fallback) {
  return {"dtype", "", "type of A and B", AxisKind::choice, fallback, std::move(names)};
}

Axis layout(const char* fallback = "nn") {
  return {"layout",         "",       "how A and B are stored: n as they are, t transposed",
          AxisKind::choice, fallback, {"nn", "nt", "tn", "tt"}};
}

Axis output() {
  return {"output",         "",    "type of C: that of its sums, or 16 bits: f16 of f16, else bf16",
          AxisKind::choice, "sum", {"sum", "half"}};
}

Axis accumulation(const char* help, const char* narrower) {
  return {"accumulation", "", help, AxisKind::choice, "full", {"full", narrower}};
}

Axis batch() {
  Axis axis{"batch", "", "products of one repetition, one behind the other", AxisKind::count, "1", {}};
  axis.most = 1 << 16;
  return axis;
}

Axis beta() {
  return {"beta",           "",  "what C is multiplied by before A·B is added to it: C = A·B + beta·C",
          AxisKind::choice, "0", {"0", "0.5", "1"}};
}

Axis engine(std::vector<std::string> names) {
  return {"engine",         "",        "who multiplies; library: oneDNN, OpenBLAS for f64, on GPUs cuBLASLt",
          AxisKind::choice, "library", std::move(names)};
}

Axis threads(const char* help) {
  return {"threads", "", help, AxisKind::count, "all", {}, device::Kind::cpu};
}

std::vector<Axis> joined(std::vector<Axis> first, const std::vector<Axis>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Definition define(const char* name, const char* summary, std::vector<Axis> axes, MetricRule rate, Explanation text) {
  Definition d;
  d.name = std::string("gemm.") + name;
  d.summary = summary;
  d.axes = std::move(axes);
  d.metrics = {std::move(rate),
               {"time", Unit::seconds, Better::lower, Rate::time},
               {"packing_time", Unit::seconds, Better::neither, Rate::items_latency}};  // told by the case
  d.explanation = std::move(text);
  d.analysis = analysis();
  d.work = work;
  d.fills = {Fill::random, Fill::zero, Fill::ones};
  d.buffers = buffers;
  d.unsupported = unsupported;
  d.prepare_cpu = prepare_cpu;
  return d;
}

// Types that no CPU multiplies.
std::vector<Definition> only_on_gpus() {
  const MetricRule flops{"flops", Unit::flop_per_second, Better::higher, Rate::operations};
  const MetricRule tf32_flops{"tf32_flops", Unit::flop_per_second, Better::higher, Rate::operations};
  std::vector<Definition> all;
  all.push_back(define("tf32", "Matrix product of f32 that may be rounded to tf32, by a GPU's library",
                       joined(joined({types({"tf32"}, "tf32")}, extents()), {layout(), batch(), beta()}), tf32_flops,
                       explanation_of_tf32()));
  all.push_back(define("fp8", "Matrix product of 8-bit floating-point numbers, by a GPU's library",
                       joined(joined({types({"e4m3", "e5m2"}, "all")}, extents()),
                              {output(),
                               layout("nt"),
                               batch(),
                               beta(),
                               accumulation("sums in f32, or in the matrix units with fewer bits", "fast"),
                               {"scale",
                                "",
                                "by 1, by matrix, by row of A and column of B, by blocks of 32",
                                AxisKind::choice,
                                "none",
                                {"none", "tensor", "outer", "block"}}}),
                       flops, explanation_of_fp8()));
  all.push_back(define("fp4",
                       "Matrix product of 4-bit floating-point numbers in scaled blocks of 16, by a GPU's library",
                       joined(joined({types({"e2m1"}, "e2m1")}, extents()), {output(), layout("nt"), batch(), beta()}),
                       flops, explanation_of_fp4()));
  for (Definition& d : all) {
    d.prepare_cpu = nullptr;
#if RIDGE_WITH_CUDA
    d.prepare_cuda = prepare_cuda;
#endif
  }
  return all;
}

}  // namespace

std::vector<Definition> definitions() {
  const MetricRule flops{"flops", Unit::flop_per_second, Better::higher, Rate::operations};
  const MetricRule ops{"ops", Unit::op_per_second, Better::higher, Rate::operations};
  std::vector<Definition> all;
  all.push_back(
      define("float", "Matrix product of floating-point numbers, by a library or by our own kernel",
             joined(joined({types({"f64", "f32", "bf16", "f16"}, "all")}, extents()),
                    {output(), layout(), batch(), beta(),
                     accumulation("sums in f32 (f64 of f64), or on a GPU in f16, of f16 alone", "half"),
                     engine({"library", "onednn", "openblas", "blocked"}), threads("threads that share the product")}),
             flops, explanation_of_float()));
  all.push_back(define("int8", "Matrix product of bytes, summed in 32 bits, by a library",
                       joined(extents(), {layout("nt"), batch(), beta(), engine({"library", "onednn"}),
                                          threads("threads that share the product")}),
                       ops, explanation_of_int8()));
  Axis type = types({"f64", "f32"}, "f32");
  type.help = "type of A and B in the steps before bf16's";
  type.only = device::Kind::cpu;
  Definition ladder = define("ladder", "From a triple loop to a tuned library, one idea a step",
                             joined({{"step", "", "on a CPU: kernels of rising cleverness, at last bf16",
                                      AxisKind::choice, "all", names_of(steps()), device::Kind::cpu},
                                     {"rung", "", "on a GPU: kernels of rising cleverness, f32, at last bf16",
                                      AxisKind::choice, "all", names_of(rungs()), device::Kind::cuda},
                                     type},
                                    joined(extents(), {threads("threads of the steps from threads on")})),
                             flops, explanation_of_ladder());
  ladder.counted_example = {{"m", "128"}};
  all.push_back(std::move(ladder));
#if RIDGE_WITH_CUDA
  for (Definition& d : all) d.prepare_cuda = prepare_cuda;
#endif
  for (Definition& d : only_on_gpus()) all.push_back(std::move(d));
  return all;
}

}  // namespace ridge::bench::gemm
