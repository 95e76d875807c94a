// The table of facts of the roofline family.
#include "bench/roofline/definition.hpp"

#include <algorithm>

#include "bench/bandwidth/definition.hpp"
#include "bench/roofline/analysis.hpp"
#include "bench/roofline/cases.hpp"
#include "bench/roofline/explanation.hpp"

namespace ridge::bench::roofline {
namespace {

using record::Better;
using record::Unit;

const MetricRule flops{"flops", Unit::flop_per_second, Better::higher, Rate::operations};
const MetricRule ops{"ops", Unit::op_per_second, Better::higher, Rate::operations};
const MetricRule bandwidth{"bandwidth", Unit::bytes_per_second, Better::higher, Rate::bytes};
const MetricRule time_of{"time", Unit::seconds, Better::lower, Rate::time};

Axis size_axis(const char* help, const char* fallback) {
  return {"size", "B", help, AxisKind::bytes, fallback, {}};
}

Axis type_axis(const char* fallback) {
  return {"dtype", "", "type of the elements", AxisKind::choice, fallback, {"f64", "f32"}};
}

Axis peak_type_axis() {
  return {
      "dtype",
      "",
      "type of the numbers (peak: on a GPU also pairs of f16 and bf16; dot_peak: bf16, on a GPU f16, tf32, f64, e4m3 "
      "too; dot_ops: int8)",
      AxisKind::choice,
      "f64,f32",
      {"f64", "f32", "f16", "bf16"}};
}

Axis dot_type_axis() {
  return {"dtype",          "",     "type of the numbers that are multiplied; a CPU has bf16 at most",
          AxisKind::choice, "bf16", {"bf16", "f16", "tf32", "f64", "e4m3"}};
}

Axis instruction_axis(const char* with_tcgen05) {
  Axis axis{
      "instruction",     "",    "the GPU's matrix instruction; all: mma and, where the architecture has one, its own",
      AxisKind::choice,  "all", {"mma", "wgmma", "tcgen05"},
      device::Kind::cuda};
  axis.of_capability = {{"wgmma", "9.0"}, {"tcgen05", with_tcgen05}};
  return axis;
}

Axis threads_axis() {
  return {"threads",        "", "threads that share the work, each on a CPU of its own", AxisKind::count, "all", {},
          device::Kind::cpu};
}

Axis stores_axis() {
  Axis axis{"stores",
            "",
            "how results leave the core: past the caches, or through them (which reads the target first)",
            AxisKind::choice,
            "nontemporal",
            {"nontemporal", "ordinary"},
            device::Kind::cpu};
  axis.in_cache = "ordinary";
  return axis;
}

Axis intensity_axis() {
  return {"intensity", "FLOP/B", "operations for each byte moved", AxisKind::choice, "all", intensities()};
}

struct Facts {
  Kind kind;
  const char* name;
  const char* summary;
};

std::vector<Axis> axes(Kind kind) {
  switch (kind) {
    case Kind::peak:
      return {peak_type_axis(), threads_axis()};
    case Kind::dot_peak:
      return {dot_type_axis(), instruction_axis("10.0,10.3"), threads_axis()};
    case Kind::dot_ops:
      return {{"dtype", "", "type of the numbers that are multiplied", AxisKind::choice, "int8", {"int8"}},
              instruction_axis("10.0"),
              threads_axis()};
    case Kind::ladder:
      return {intensity_axis(), size_axis("bytes of each of two arrays, or a level: L1, L2, L3, memory", "memory"),
              type_axis("f64"), threads_axis(), stores_axis()};
    case Kind::stencil:
      return {size_axis("bytes of each of two cubes, or a level: L1, L2, L3, memory", "memory"), type_axis("f64"),
              threads_axis()};
    case Kind::spmv:
      return {size_axis("bytes of the nonzero values, or a level: L1, L2, L3, memory", "memory"), type_axis("f64"),
              threads_axis()};
    case Kind::gemv:
      return {size_axis("bytes of the matrix, or a level: L1, L2, L3, memory", "memory"), type_axis("f64"),
              threads_axis()};
    case Kind::gemm:
      break;
  }
  return {size_axis("bytes of each of three matrices, or a level: L1, L2, L3, memory", "8MiB"), type_axis("f64"),
          threads_axis()};
}

Definition define(const Facts& facts) {
  const Kind kind = facts.kind;
  Definition d;
  d.name = std::string("roofline.") + facts.name;
  d.summary = facts.summary;
  d.axes = axes(kind);
  d.metrics = kind == Kind::dot_ops                          ? std::vector{ops, time_of}
              : kind == Kind::peak || kind == Kind::dot_peak ? std::vector{flops, time_of}
                                                             : std::vector{flops, bandwidth, time_of};
  d.explanation = explanation(kind);
  d.analysis = analysis();
  d.work = [kind](const record::Point& point) { return work(kind, point); };
  d.buffers = [kind](const record::Point& point) { return buffers(kind, point); };
  d.unsupported = [kind](const record::Point& point) { return unsupported(kind, point); };
  d.prepare_cpu = [kind](CpuContext& context, const record::Point& point) { return prepare_cpu(kind, context, point); };
#if RIDGE_WITH_CUDA
  d.prepare_cuda = [kind](CudaContext& context, const record::Point& point) {
    return prepare_cuda(kind, context, point);
  };
#endif
  return d;
}

// Ceilings of bandwidth, and two of the six kernels, are those of bench/bandwidth: the same cases under this family's
// name, so that one run holds all that a roofline needs.
Definition borrowed(const std::vector<Definition>& from, const std::string& kernel, const char* sizes,
                    bool operations) {
  const auto found =
      std::find_if(from.begin(), from.end(), [&](const Definition& d) { return d.name == "bandwidth." + kernel; });
  Definition d = *found;
  d.name = "roofline." + kernel;
  for (Axis& axis : d.axes)
    if (axis.name == "size") axis.fallback = sizes;
  if (operations) d.metrics.insert(d.metrics.begin(), flops);
  d.explanation = borrowed_explanation(d.explanation, operations);
  d.analysis = analysis();
  std::erase_if(d.axes, [](const Axis& axis) { return axis.name == "gpus"; });  // a roof is one device's
  return d;
}

}  // namespace

std::vector<Definition> definitions() {
  const std::vector<Definition> traffic = bandwidth::definitions();
  std::vector<Definition> all;
  all.push_back(define({Kind::peak, "peak", "Multiply-adds on what stays in the first-level cache: the flat roof"}));
  all.push_back(
      define({Kind::dot_peak, "dot_peak", "Dot-product and matrix instructions of narrow types: tensor cores"}));
  all.push_back(define({Kind::dot_ops, "dot_ops", "Dot-product and matrix instructions of whole numbers: int8"}));
  all.push_back(borrowed(traffic, "read", "L1,L2,L3,memory", false));
  all.push_back(borrowed(traffic, "copy", "L1,L2,L3,memory", false));
  all.push_back(define({Kind::ladder, "ladder", "Kernels of rising intensity: more operations on each byte moved"}));
  all.push_back(borrowed(traffic, "triad", "memory", true));
  all.push_back(borrowed(traffic, "dot", "memory", true));
  all.push_back(define({Kind::stencil, "stencil", "7-point stencil on a cube, one step of the heat equation"}));
  all.push_back(define({Kind::spmv, "spmv", "Sparse matrix times vector, CSR, 16 nonzeros a row"}));
  all.push_back(define({Kind::gemv, "gemv", "Dense matrix times vector"}));
  all.push_back(define({Kind::gemm, "gemm", "Dense matrix product, blocked for the caches and the registers"}));
  return all;
}

}  // namespace ridge::bench::roofline
