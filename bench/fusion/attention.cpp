// The table of facts of attention, its points and its work.
#include "bench/fusion/attention.hpp"

#include <algorithm>

#include "bench/fusion/analysis.hpp"
#include "bench/fusion/data.hpp"
#include "bench/fusion/points.hpp"
#include "kernels/cublaslt/asked.hpp"

namespace ridge::bench::fusion {
namespace {

namespace ra = ridge::attention;

constexpr std::int64_t bytes = 4;

Explanation explanation() {
  Explanation text;
  text.measures =
      "What it brings to compute attention, out = softmax(q·kᵀ/√head)·v, without its scores in memory: for a block of "
      "queries, keys block after block, with a running maximum and sum (\"flash\"). Unfused: three passes, scores to "
      "memory, softmax in place, scores times values; both sides multiply by the same tiles and take the same "
      "exponentials, and neither computes a block above a causal diagonal. Library: the same three passes by oneDNN's "
      "products and its softmax, on its threads; causal by its products of panels of 192 queries, each up to its last "
      "one's key, with our softmax between them.";
  text.formula =
      "With n = sequence and s = heads · n² scores (causal: those of blocks of 48 queries up to their last one's key): "
      "unfused s are written, read and written, and read again, besides q, k, v and out; fused those alone. "
      "predicted_time = the longer of bytes / bandwidth, that of fusion.chain with one operation out of cache in the "
      "same run, and of s · what a score takes the same side at a shorter sequence, which caches keep. speedup = time "
      "unfused or by library, whichever is less / time fused; memory = bytes borrowed for all arrays: of order n² "
      "unfused, n fused.";
  text.counting =
      "f32. 4·head operations a score, two multiply-adds for each element of a head, and four for its softmax "
      "(comparison, subtraction, exponential, addition); scores that count, not those computed beyond a causal "
      "diagonal. Each array read or written once in each pass; packing keys and values is not counted, and is timed. "
      "On a GPU operations are the multiply-adds; the reference machine counts what tiles read again, too, and "
      "predicted_speedup is the ratio of all bytes counted";
  text.spoil =
      "A sequence whose scores a cache holds: then materialising costs little. Many cores on little bandwidth or few "
      "on "
      "much: the gain is what memory takes beyond arithmetic, so it depends on the machine more than any other pair's.";
  text.normal =
      "Little on few cores, whose products take longer than the scores' way to memory; memory of order n where the "
      "materialised form takes 4 bytes a score. On GPUs the kernels are proven on the reference machine; never run on "
      "a GPU "
      "by us.";
  return text;
}

}  // namespace

bool by_library(const record::Point& point) {
  return point.text("side") == "library";
}

std::int64_t library_pairs(const ra::Shape& shape) {
  if (!shape.causal) return ra::pairs(shape);
  std::int64_t all = 0;
  for (std::int64_t first = 0; first < shape.sequence; first += library_panel) {
    const std::int64_t queries = std::min(library_panel, shape.sequence - first);
    all += queries * (first + queries);
  }
  return shape.heads * all;
}

ra::Shape attention_shape(const record::Point& point) {
  return {point.integer("heads"), point.integer("sequence"), std::stoll(point.text("head")),
          point.text("causal") == "yes"};
}

record::Work attention_work(const record::Point& point) {
  const ra::Shape shape = attention_shape(point);
  const std::int64_t array = shape.heads * shape.sequence * shape.head;
  const std::int64_t computed = by_library(point) ? library_pairs(shape) : ra::computed_pairs(shape);
  const std::int64_t scores = is_fused(point) ? 0 : computed;
  record::Work work;
  work.items = computed;
  work.bytes_read = bytes * (3 * array + 2 * scores);
  work.bytes_written = bytes * (array + 2 * scores);
  work.operations = ra::pairs(shape) * (4 * shape.head + 4);
  work.counting =
      "items are the scores computed; q, k, v read once, out written once, scores in each pass that reads or writes "
      "them; operations of the scores that count";
  return work;
}

std::vector<std::int64_t> attention_buffers(const record::Point& point) {
  const ra::Shape shape = attention_shape(point);
  const std::int64_t array = bytes * shape.heads * shape.sequence * shape.head;
  const bool on_cpu = threads_of(point).has_value();
  if (by_library(point)) {
    const std::int64_t scores =
        shape.causal && on_cpu ? ra::score_elements(shape) : shape.heads * shape.sequence * shape.sequence;
    std::vector<std::int64_t> all{array + guard_bytes, array, array, array, bytes * scores};
    if (!on_cpu) all.push_back(ridge::cublaslt::workspace_bytes);
    return all;
  }
  const std::int64_t packed = bytes * ra::packed_elements(shape);
  std::vector<std::int64_t> all{array + guard_bytes, array, array, array, packed, packed};
  for (std::int64_t i = 0; i < threads_of(point).value_or(0); ++i) all.push_back(bytes * ra::workspace_elements(shape));
  if (!is_fused(point)) all.push_back(bytes * ra::score_elements(shape));
  return all;
}

void check_query(stream::Check& check, const ra::Oracle& oracle, const ra::Shape& shape, std::int64_t head,
                 std::int64_t i, const float* have) {
  const std::vector<double> want = oracle.row(i);
  for (std::int64_t c = 0; c < shape.head; ++c)
    compare(check, (head * shape.sequence + i) * shape.head + c, static_cast<double>(have[c]),
            want[static_cast<std::size_t>(c)], oracle.bound());
}

Definition attention_definition() {
  Definition d;
  d.name = attention_name;
  d.summary = "softmax(q·kᵀ/√head)·v: scores in memory, and tiled without (\"flash\")";
  Axis heads{"heads", "", "heads, each with queries, keys and values of its own", AxisKind::count, "8", {}};
  heads.most = 1024;
  Axis sequence{"sequence", "", "queries of a head, and keys", AxisKind::count, "256,2048", {}};
  sequence.most = 1 << 17;
  d.axes = {{"side",
             "",
             "scores in memory by kernels of ours, by a library's products, or all in one",
             AxisKind::choice,
             "all",
             {"unfused", "library", "fused"}},
            {"head", "", "elements of a query, a key, a value", AxisKind::choice, "64", {"64", "128"}},
            {"causal", "", "whether a query sees only the keys up to its own", AxisKind::choice, "all", {"no", "yes"}},
            heads,
            sequence,
            {"threads",
             "",
             "threads that share the blocks of queries, each on a CPU of its own",
             AxisKind::count,
             "all",
             {},
             device::Kind::cpu}};
  d.metrics = {{"time", record::Unit::seconds, record::Better::lower, Rate::time},
               {"flops", record::Unit::flop_per_second, record::Better::higher, Rate::operations},
               {"memory", record::Unit::bytes, record::Better::lower, Rate::time}};
  d.explanation = explanation();
  d.analysis = analysis();
  d.work = attention_work;
  d.buffers = attention_buffers;
  d.unsupported = [](const record::Point&) { return std::nullopt; };
  d.prepare_cpu = [](CpuContext& context, const record::Point& point) {
    if (by_library(point)) return prepare_library_attention(context, point);
    return make_attention(context, point, ra::cpu_kernels());
  };
#if RIDGE_WITH_CUDA
  d.counted_example = {{"sequence", "128,256"}, {"heads", "1"}, {"causal", "no"}, {"side", "all"}};
  d.prepare_cuda = prepare_cuda_attention;
#endif
  return d;
}

}  // namespace ridge::bench::fusion
