// Attention's predictions: bytes at this run's bandwidth, and arithmetic at what a score takes at a sequence that is
// short enough for the caches.
#include <algorithm>

#include "bench/fusion/attention.hpp"
#include "bench/fusion/points.hpp"
#include "bench/fusion/prediction.hpp"
#include "bench/harness/lookup.hpp"

namespace ridge::bench::fusion {
namespace {

using record::Record;

bool is_attention(const Record& record) {
  return record.benchmark == attention_name && seconds_of(record).has_value();
}

// But for the side and the sequence the same problem.
bool same_heads(const Record& a, const Record& b) {
  const auto equal = [&](const char* axis) { return axis_text(a, axis) == axis_text(b, axis); };
  return alike(a, b) && equal("head") && equal("heads") && equal("causal");
}

// Seconds for each score of the same side at the longest sequence that is shorter than this record's by half or more
// and whose scores were in a cache.
std::optional<double> seconds_per_score(std::span<const Record> all, const Record& record) {
  const Record* best = nullptr;
  for (const Record& other : all) {
    if (!is_attention(other) || !same_heads(other, record) || axis_text(other, "side") != axis_text(record, "side"))
      continue;
    const std::int64_t sequence = other.point.integer("sequence");
    if (2 * sequence > record.point.integer("sequence") || !other.method.level || other.method.level == "memory")
      continue;
    if (best == nullptr || sequence > best->point.integer("sequence")) best = &other;
  }
  if (best == nullptr || best->work.items.value_or(0) == 0) return std::nullopt;
  const auto seconds = warm_seconds_of(*best);
  if (!seconds) return std::nullopt;
  return *seconds / static_cast<double>(*best->work.items);
}

// What the FlashAttention paper's formulas say of the tiles that the GPU kernels have; nothing where a diagonal or a
// tile that is not whole makes it less.
std::optional<double> bytes_by_formula(const Record& record) {
  const ridge::attention::Shape shape = attention_shape(record.point);
  if (shape.causal || shape.sequence % ridge::attention::square != 0) return std::nullopt;
  if (by_library(record.point)) return stated_bytes(record);
  return static_cast<double>(is_fused(record.point) ? ridge::attention::tiled_bytes(shape)
                                                    : ridge::attention::materialised_bytes(shape));
}

// Where the reference machine counts.
void add_bytes_moved(Record& record) {
  const auto counted = counted_bytes(record), formula = bytes_by_formula(record);
  if (!counted || !formula) return;
  add_told(record, "bytes_moved", *counted, record::Unit::bytes);
  add_told(record, "predicted_bytes_moved", *formula, record::Unit::bytes);
}

std::optional<Predicted> predict(std::span<const Record> all, const Record& record) {
  const auto bandwidth = memory_bandwidth(all, record);
  const auto each = seconds_per_score(all, record);
  if (!bandwidth || !each || !record.work.items) return std::nullopt;
  return Predicted{static_cast<double>(*record.work.bytes_read + *record.work.bytes_written) / *bandwidth,
                   *each * static_cast<double>(*record.work.items)};
}

}  // namespace

std::vector<record::Finding> conclude_attention(std::span<Record> records) {
  std::vector<record::Finding> findings;
  for (Record& record : records) {
    if (record.benchmark != attention_name) continue;
    const auto unfused = [&](const Record& other) {
      return other.benchmark == attention_name && !is_fused(other.point) && same_heads(other, record) &&
             axis_text(other, "sequence") == axis_text(record, "sequence");
    };
    // Tiles' second readings are counted, too: they are what tiling is about.
    add_bytes_moved(record);
    if (is_fused(record.point)) add_counted_ratio(record, records, unfused);
    if (!is_attention(record)) continue;
    const auto predicted = predict(records, record);
    add_prediction(record, predicted);
    if (!is_fused(record.point)) continue;
    // Of those that keep scores in memory the fastest.
    const Record* passes = nullptr;
    for (const Record& other : records)
      if (is_attention(other) && unfused(other) && (passes == nullptr || *seconds_of(other) < *seconds_of(*passes)))
        passes = &other;
    // Where the scores fit a cache there is nothing to predict, and the sequence is there for its arithmetic.
    if (passes == nullptr || passes->method.level != "memory") continue;
    if (auto gap = add_speedup(record, predicted, *passes, predict(records, *passes)))
      findings.push_back(std::move(*gap));
  }
  return findings;
}

}  // namespace ridge::bench::fusion
