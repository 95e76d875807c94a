// The table of facts of the access family.
#include "bench/access/definition.hpp"

#include "bench/access/analysis.hpp"
#include "bench/access/banks.hpp"
#include "bench/access/explanations.hpp"
#include "bench/access/points.hpp"
#include "bench/access/transpose.hpp"

namespace ridge::bench::access {
namespace {

constexpr std::int64_t most_stride = 1 << 20;

Axis op_axis(const char* fallback) {
  return {"op", "", "what is done with each element", AxisKind::choice, fallback, {"load", "store"}};
}

Axis stride_axis() {
  Axis axis{"stride", "elements", "from one element to the next", AxisKind::count, "1,2,4,8,16,32,64", {}};
  axis.most = most_stride;
  return axis;
}

Axis offset_axis() {
  Axis axis{"offset",         "elements",        "from the aligned beginning to the first element",
            AxisKind::choice, "0,1,2,4,8,16,31", {}};
  for (int offset = 0; offset < 32; ++offset) axis.choices.push_back(std::to_string(offset));
  return axis;
}

Axis width_axis(const char* fallback) {
  return {"width", "B", "bytes of an element", AxisKind::choice, fallback, {"1", "2", "4", "8", "16"}};
}

std::vector<Axis> with_common(std::vector<Axis> axes) {
  axes.push_back({"size", "B", "bytes of the array, or a level: L1, L2, L3, memory", AxisKind::bytes, "memory", {}});
  axes.push_back({"threads",
                  "",
                  "threads that share the pattern, each on a CPU of its own",
                  AxisKind::count,
                  "all",
                  {},
                  device::Kind::cpu});
  return axes;
}

Axis fields_axis() {
  return {"fields", "", "4-byte fields of a structure", AxisKind::choice, "8", {"2", "4", "8", "16", "32"}};
}

Definition define(const char* name, const char* summary, std::vector<Axis> axes, Explanation text) {
  Definition d;
  d.name = std::string("access.") + name;
  d.summary = summary;
  d.axes = std::move(axes);
  d.metrics = {{"bandwidth", record::Unit::bytes_per_second, record::Better::higher, Rate::bytes},
               {"time", record::Unit::seconds, record::Better::lower, Rate::time}};
  d.explanation = std::move(text);
  d.analysis = analysis();
  return d;
}

void state(Definition& d, const Facts& facts) {
  d.work = facts.work;
  d.buffers = facts.buffers;
  d.unsupported = facts.unsupported;
}

Definition strides(const char* name, const char* summary, std::vector<Axis> axes, Explanation text) {
  Definition d = define(name, summary, with_common(std::move(axes)), std::move(text));
  state(d, strided_facts);
  d.prepare_cpu = prepare_strided_cpu;
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_strided_cuda;
#endif
  return d;
}

Definition randoms() {
  Axis width{"width", "B", "bytes of an element", AxisKind::choice, "4", {"4", "8", "16"}};
  Definition d = define("random", "Gathers (load) from or scatters (store) to an array, by a table in random order",
                        with_common({op_axis("load"), width}), explain_random());
  state(d, indexed_facts);
  d.counted_example = {{"size", "64Ki"}, {"width", "all"}};
  d.prepare_cpu = prepare_indexed_cpu;
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_indexed_cuda;
#endif
  return d;
}

Definition layouts() {
  Definition d = define(
      "layout", "Loads or stores of one or all fields of an array of structures, or of a structure of arrays",
      with_common(
          {op_axis("load"),
           {"layout", "", "array of structures, or structure of arrays", AxisKind::choice, "all", {"aos", "soa"}},
           fields_axis(),
           {"used", "", "fields that are used", AxisKind::choice, "one,all", {"one", "all"}}}),
      explain_layout());
  state(d, structured_facts);
  d.counted_example = {{"size", "64Ki"}};
  d.prepare_cpu = prepare_structured_cpu;
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_structured_cuda;
#endif
  return d;
}

Definition pages() {
  Axis stride{"stride",        "lines",         "from one line of 64 bytes to the next that is taken",
              AxisKind::count, "1,4,16,64,256", {}};
  stride.most = 1 << 20;
  Definition d = define("pages", "One element of each line, in strides, on huge and on small pages: prefetching, TLB",
                        with_common({op_axis("load"),
                                     stride,
                                     {"pages",
                                      "",
                                      "pages that are asked for: huge, or the machine's smallest (mostly 4 KiB)",
                                      AxisKind::choice,
                                      "all",
                                      {"huge", "small"}}}),
                        explain_pages());
  state(d, phased_facts);
  d.prepare_cpu = prepare_phased_cpu;
  return d;
}

Definition banks() {
  Axis stride{"stride", "words", "from one lane's word to the next", AxisKind::count, "1,2,3,4,8,16,31,32,33", {}};
  stride.most = most_stride;
  Definition d =
      define("banks", "Loads of a GPU's shared memory by stride: conflicts in its banks", {stride}, explain_banks());
  d.in_shared_memory = true;
  d.counted_example = {{"stride", "1,2,3,4,8,16,32,33"}};
  state(d, {banks_work, banks_buffers, banks_unsupported});
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_banks_cuda;
#endif
  return d;
}

Definition transposes() {
  Definition d = define(
      "transpose", "Transposes a square matrix, naively and through tiles",
      with_common(
          {{"variant", "", "how it is done", AxisKind::choice, "all", {"naive", "tiled", "padded", "swizzled"}}}),
      explain_transpose());
  d.counted_example = {{"size", "64Ki"}};
  state(d, {transpose_work, transpose_buffers, transpose_unsupported});
  d.prepare_cpu = prepare_transpose_cpu;
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_transpose_cuda;
#endif
  return d;
}

}  // namespace

std::vector<Definition> definitions() {
  std::vector<Definition> all;
  all.push_back(strides("stride", "Loads or stores of every s-th element",
                        {op_axis("load,store"), stride_axis(), width_axis("4")}, explain_stride()));
  all.back().counted_example = {{"size", "256Ki"}, {"stride", "1,2,4,8,16,64"}, {"op", "load"}};
  all.push_back(strides("offset", "Loads or stores of whole arrays that begin a few elements late",
                        {op_axis("load"), offset_axis(), width_axis("4")}, explain_offset()));
  all.back().counted_example = {{"size", "64Ki"}, {"offset", "0,1,8,31"}};
  all.push_back(strides("width", "Loads or stores of whole arrays, in elements of 1 to 16 bytes",
                        {op_axis("load"), width_axis("all")}, explain_width()));
  all.back().counted_example = {{"size", "64Ki"}};
  all.push_back(randoms());
  all.push_back(layouts());
  all.push_back(pages());
  all.push_back(banks());
  all.push_back(transposes());
  return all;
}

}  // namespace ridge::bench::access
