// The table of facts of the access family.
#include "bench/access/definition.hpp"

#include "bench/access/analysis.hpp"
#include "bench/access/points.hpp"
#include "bench/access/transpose.hpp"

namespace ridge::bench::access {
namespace {

Axis op_axis() {
  return {"op", "", "what the pattern does", AxisKind::choice, "load", {"load", "store"}};
}

Axis stride_axis() {
  Axis axis{"stride", "elements", "from one element to the next", AxisKind::count, "1,2,4,8,16,32,64", {}};
  axis.most = 1 << 20;
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

const char* const how_predicted =
    "bandwidth = width · elements / seconds: bytes that were asked for. predicted_bandwidth = that of the unbroken "
    "pattern "
    "of the same run (stride 1, offset 0) × bytes it moves for each byte asked for / bytes this one moves. On a GPU "
    "what "
    "moves are 32-byte sectors: lane l of a warp asks for width bytes at (offset + l · stride) · width, and "
    "predicted_sectors_per_request counts the sectors that its 32 lanes touch. 4-byte elements at stride 1: 4; 2: 8; "
    "4: "
    "16; from 8 on 32, one for each lane; stride 1 shifted by one element: 5. On a CPU what moves are 64-byte lines, "
    "for "
    "all elements in one: stride s of 4-byte elements uses 1/s of each line until s = 16, and 1/16 beyond.";

Explanation explanation(const char* measures, const char* normal) {
  Explanation text;
  text.measures = measures;
  text.formula = how_predicted;
  text.counting =
      "the bytes of the elements that are asked for, once each; not what moves along with them. On the "
      "reference machine sectors_per_request is counted from executed instructions";
  text.spoil =
      "An array that fits in a cache: then it is that cache's lines that count. A stride that is a multiple of a page "
      "or "
      "of a cache's way: elements then meet in few sets, or each needs a translation of its own. Strides that a "
      "prefetcher follows look better than the prediction, and those it overshoots worse.";
  text.normal = normal;
  return text;
}

Definition define(const char* name, const char* summary, std::vector<Axis> axes, Explanation text) {
  Definition d;
  d.name = std::string("access.") + name;
  d.summary = summary;
  d.axes = with_common(std::move(axes));
  d.metrics = {{"bandwidth", record::Unit::bytes_per_second, record::Better::higher, Rate::bytes},
               {"time", record::Unit::seconds, record::Better::lower, Rate::time}};
  d.explanation = std::move(text);
  d.analysis = analysis();
  d.work = work;
  d.buffers = buffers;
  d.unsupported = unsupported;
  d.prepare_cpu = prepare_cpu;
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_cuda;
#endif
  return d;
}

Definition transposes() {
  Definition d = define(
      "transpose", "Transposes a square matrix, naively and through tiles",
      {{"variant", "", "how it is done", AxisKind::choice, "all", {"naive", "tiled", "padded", "swizzled"}}},
      explanation(
          "What it costs to write columns, and how tiles, padding and swizzling avoid it: the same bytes move in "
          "each variant.",
          "On a CPU tiles are the faster, the more so where the side is a power of two and a column of lines "
          "meets in few cache sets. On a GPU "
          "naive stores touch 32 sectors a request where 4 would do; tiled ones pay with 31 bank conflicts for each "
          "column in shared memory; padded and swizzled ones pay neither and come near a copy."));
  d.work = transpose_work;
  d.buffers = transpose_buffers;
  d.unsupported = transpose_unsupported;
  d.prepare_cpu = prepare_transpose_cpu;
#if RIDGE_WITH_CUDA
  d.prepare_cuda = prepare_transpose_cuda;
#endif
  return d;
}

}  // namespace

std::vector<Definition> definitions() {
  std::vector<Definition> all;
  all.push_back(define(
      "stride", "Loads or stores of every s-th element", {op_axis(), stride_axis(), width_axis("4")},
      explanation(
          "What it costs to use a part of each line or sector only: every s-th element of an array is loaded or "
          "stored.",
          "On a CPU near the prediction up to a line; beyond it prefetchers fetch lines that nobody asked for, "
          "pages run out of translations, and half of the prediction is common. On a GPU near the prediction.")));
  all.push_back(define(
      "offset", "Loads or stores of whole arrays that begin a few elements late",
      {op_axis(), offset_axis(), width_axis("4")},
      explanation(
          "What it costs when an array does not begin where a line or sector does.",
          "On a CPU nothing: neighbouring elements share the line that is split. On a GPU a warp's request touches "
          "one sector more unless the offset is a multiple of 32 bytes, and the L1 cache keeps it for the "
          "neighbouring warp: less than the predicted fifth.")));
  all.push_back(define(
      "width", "Loads or stores of whole arrays, in elements of 1 to 16 bytes", {op_axis(), width_axis("all")},
      explanation(
          "What it costs to move the same bytes by more instructions.",
          "On a CPU one-byte elements are bound by instructions, not by memory. On a GPU a warp's request of "
          "1-byte elements is one sector: four times as many requests as with 4 bytes for the same bytes, and too "
          "few bytes in flight to fill the memory.")));
  all.push_back(transposes());
  return all;
}

}  // namespace ridge::bench::access
