// Predictions for a product with what follows it: the product's own time, and the passes' bytes or arithmetic on top.
#include <algorithm>

#include "bench/fusion/epilogue.hpp"
#include "bench/fusion/prediction.hpp"
#include "bench/harness/lookup.hpp"

namespace ridge::bench::fusion {
namespace {

using record::Record;

// But for side and m the same problem.
bool same_product(const Record& a, const Record& b) {
  const auto equal = [&](const char* axis) { return axis_text(a, axis) == axis_text(b, axis); };
  return alike(a, b) && a.benchmark == b.benchmark && equal("epilogue") && equal("n") && equal("k");
}

const Record* of_side(std::span<const Record> all, const Record& record, const std::string& side) {
  for (const Record& other : all)
    if (seconds_of(other) && same_product(other, record) && axis_text(other, "side") == side &&
        axis_text(other, "m") == axis_text(record, "m"))
      return &other;
  return nullptr;
}

// Seconds for each entry that the same side takes longer than the product alone, at the largest m of half or less whose
// matrices were in a cache.
double seconds_per_entry(std::span<const Record> all, const Record& record) {
  double seconds = 0;
  std::int64_t best = 0;
  for (const Record& other : all) {
    if (!seconds_of(other) || !same_product(other, record) || axis_text(other, "side") != axis_text(record, "side"))
      continue;
    const std::int64_t m = other.point.integer("m");
    if (2 * m > record.point.integer("m") || m <= best || !other.method.level || other.method.level == "memory")
      continue;
    const Record* const product = of_side(all, other, "product");
    if (product == nullptr || other.work.items.value_or(0) == 0) continue;
    const auto with = warm_seconds_of(other), without = warm_seconds_of(*product);
    if (!with || !without) continue;
    best = m;
    seconds = (*with - *without) / static_cast<double>(*other.work.items);
  }
  return std::max(0.0, seconds);
}

std::optional<Predicted> predict(std::span<const Record> all, const Record& record) {
  const auto bandwidth = memory_bandwidth(all, record);
  const Record* const product = of_side(all, record, "product");
  if (!bandwidth || product == nullptr) return std::nullopt;
  return Predicted{(stated_bytes(record) - stated_bytes(*product)) / *bandwidth,
                   seconds_per_entry(all, record) * static_cast<double>(record.work.items.value_or(0)), 0,
                   *seconds_of(*product)};
}

}  // namespace

std::vector<record::Finding> conclude_epilogue(std::span<Record> records) {
  std::vector<record::Finding> findings;
  for (Record& record : records) {
    if (record.benchmark != epilogue_name) continue;
    const std::string side = axis_text(record, "side");
    if (side == "fused") {
      const auto passes = [&](const Record& other) {
        return same_product(other, record) && axis_text(other, "m") == axis_text(record, "m") &&
               axis_text(other, "side") == "unfused";
      };
      if (const Record* const other = add_counted_ratio(record, records, passes))
        add_told(record, "predicted_byte_ratio", stated_bytes(*other) / stated_bytes(record), record::Unit::ratio);
    }
    if (!seconds_of(record) || side == "product" || record.method.level != "memory") continue;
    const auto predicted = predict(records, record);
    add_prediction(record, predicted);
    if (side != "fused") continue;
    const Record* passes = of_side(records, record, "unfused");
    const Record* const by_library = of_side(records, record, "library");
    if (passes == nullptr || (by_library != nullptr && *seconds_of(*by_library) < *seconds_of(*passes)))
      passes = by_library;
    if (passes == nullptr) continue;
    if (auto gap = add_speedup(record, predicted, *passes, predict(records, *passes)))
      findings.push_back(std::move(*gap));
  }
  return findings;
}

}  // namespace ridge::bench::fusion
