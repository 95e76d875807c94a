// A side's predicted time is the longer of what its bytes take at the bandwidth of this run, and of what its arithmetic
// takes where a cache keeps the bytes away from memory.
#include "bench/fusion/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/fusion/attention.hpp"
#include "bench/fusion/epilogue.hpp"
#include "bench/fusion/points.hpp"
#include "bench/fusion/prediction.hpp"
#include "bench/harness/lookup.hpp"

namespace ridge::bench::fusion {
namespace {

using record::Finding;
using record::Record;
using record::Unit;

bool of_family(const Record& record) {
  return record.benchmark.starts_with("fusion.");
}

bool same_size(const Record& a, const Record& b) {
  return axis_text(a, "size") == axis_text(b, "size");
}

// But for size and side the same work.
bool same_steps(const Record& a, const Record& b) {
  return a.benchmark == b.benchmark && alike(a, b) && ops_of(a.point) == ops_of(b.point) &&
         axis_text(a, "dropout") == axis_text(b, "dropout");
}

bool same_level(const Record& a, const Record& b) {
  return a.method.level && a.method.level == b.method.level;
}

template <class Wanted>
const Record* first(std::span<const Record> all, const Wanted& wanted) {
  for (const Record& record : all)
    if (seconds_of(record) && wanted(record)) return &record;
  return nullptr;
}

// Bytes a second that one step over an array of that size reaches, in place: the family's own measure of memory. Of the
// same level where the size differs, since arrays beside x make it smaller.
std::optional<double> bandwidth_for(std::span<const Record> all, const Record& record) {
  const auto step = [&](bool (*same)(const Record&, const Record&)) {
    return first(all, [&](const Record& other) {
      return other.benchmark == "fusion.chain" && ops_of(other.point) == 1 && alike(other, record) &&
             same(other, record);
    });
  };
  const Record* found = step(same_size);
  if (found == nullptr) found = step(same_level);
  return found == nullptr ? std::nullopt : value_of(*found, "bandwidth");
}

// Seconds that the same side's arithmetic takes for each element, where a cache holds its arrays.
std::optional<double> seconds_per_element(std::span<const Record> all, const Record& record) {
  const Record* const cached = first(all, [&](const Record& other) {
    return same_steps(other, record) && is_fused(other.point) == is_fused(record.point) &&
           (other.method.level == "L1" || other.method.level == "L2");
  });
  if (cached == nullptr || !cached->work.items || *cached->work.items == 0) return std::nullopt;
  const auto seconds = warm_seconds_of(*cached);
  if (!seconds) return std::nullopt;
  return *seconds / static_cast<double>(*cached->work.items);
}

// Operations a second of the fused chain of most operations in a cache: what arithmetic of no special function reaches.
std::optional<double> ceiling_for(std::span<const Record> all, const Record& record) {
  const Record* best = nullptr;
  for (const Record& other : all)
    if (other.benchmark == "fusion.chain" && is_fused(other.point) && alike(other, record) && warm_seconds_of(other) &&
        (other.method.level == "L1" || other.method.level == "L2") &&
        (best == nullptr || ops_of(other.point) > ops_of(best->point)))
      best = &other;
  if (best == nullptr || best->work.operations.value_or(0) == 0) return std::nullopt;
  return static_cast<double>(*best->work.operations) / *warm_seconds_of(*best);
}

const Facts& facts_of(const Record& record) {
  for (const Facts& facts : ridge::fused::all_facts())
    if (record.benchmark.substr(record.benchmark.find('.') + 1) == facts.name) return facts_at(facts, record.point);
  return ridge::fused::facts_of(ridge::fused::Pair::chain);
}

std::optional<Predicted> predict(std::span<const Record> all, const Record& record) {
  const auto bandwidth = bandwidth_for(all, record);
  if (!bandwidth || !record.work.bytes_read || !record.work.bytes_written || !record.work.items) return std::nullopt;
  Predicted predicted;
  predicted.by_bytes = static_cast<double>(*record.work.bytes_read + *record.work.bytes_written) / *bandwidth;
  const auto elements = static_cast<double>(*record.work.items);
  if (const auto each = seconds_per_element(all, record)) predicted.by_arithmetic = *each * elements;
  const Facts& facts = facts_of(record);
  if (const int arrays = facts.exponential_read + facts.exponential_written; arrays > 0 && !is_fused(record.point)) {
    const double exponential = 4 * elements * arrays / *bandwidth;
    predicted.besides = predicted.by_bytes - exponential;
    predicted.by_bytes = exponential;
  }
  return predicted;
}

// What one exponential (or draw of a random number) counts for, measured: all that an element's arithmetic takes but
// its other operations, in operations.
void add_special_cost(Record& record, std::span<const Record> all, const Predicted& predicted) {
  const Facts& facts = facts_of(record);
  const auto ceiling = ceiling_for(all, record);
  if (!ceiling || facts.specials == 0 || predicted.by_arithmetic <= 0) return;
  const double operations = predicted.by_arithmetic / static_cast<double>(*record.work.items) * *ceiling;
  add_told(record, "special_operations", (operations - (facts.operations - facts.specials)) / facts.specials,
           Unit::count);
}

bool beyond_caches(const Record& record) {
  return record.method.level == "memory";
}

bool passes_of(const Record& other, const Record& record) {
  return same_steps(other, record) && !is_fused(other.point) && same_size(other, record);
}

const Record* unfused_of(std::span<const Record> all, const Record& record) {
  return first(all, [&](const Record& other) { return passes_of(other, record); });
}

}  // namespace

std::vector<Finding> conclude(std::span<Record> records) {
  std::vector<Finding> findings;
  for (Record& record : records) {
    if (!of_family(record) || record.benchmark == attention_name || record.benchmark == epilogue_name) continue;
    if (is_fused(record.point))
      if (const Record* const passes =
              add_counted_ratio(record, records, [&](const Record& other) { return passes_of(other, record); }))
        add_told(record, "predicted_byte_ratio", stated_bytes(*passes) / stated_bytes(record), Unit::ratio);
    if (!seconds_of(record) || !beyond_caches(record)) continue;
    const auto predicted = predict(records, record);
    add_prediction(record, predicted);
    if (predicted) add_special_cost(record, records, *predicted);
    const Record* const passes = is_fused(record.point) ? unfused_of(records, record) : nullptr;
    if (passes == nullptr) continue;
    if (auto gap = add_speedup(record, predicted, *passes, predict(records, *passes)))
      findings.push_back(std::move(*gap));
  }
  for (const auto& more : {conclude_attention(records), conclude_epilogue(records)})
    findings.insert(findings.end(), more.begin(), more.end());
  return findings;
}

// "fused cpu: chain of 8 7.6x (8), softmax 2.2x (2.5)": measured, and predicted in brackets. Where nothing is measured,
// "fused ptx:0 by bytes counted: softmax 2.5x".
std::vector<std::string> key_figures(std::span<const Record> records) {
  std::vector<std::pair<std::string, std::vector<std::string>>> devices;
  for (const Record& record : records) {
    if (!of_family(record) || (record.point.find("ops") != nullptr && ops_of(record.point) == 1)) continue;
    const auto speedup = value_of(record, "speedup"), predicted = value_of(record, "predicted_speedup");
    if (!speedup && !predicted) continue;
    const std::string device = record.device + (speedup ? "" : " by bytes counted");
    if (devices.empty() || devices.back().first != device) devices.emplace_back(device, std::vector<std::string>{});
    std::string part = fmt::format("{} {:.2g}x", name_of(record), speedup ? *speedup : *predicted);
    if (speedup && predicted) part += fmt::format(" ({:.2g})", *predicted);
    if (devices.back().second.empty() || devices.back().second.back() != part)
      devices.back().second.push_back(std::move(part));
  }
  std::vector<std::string> lines;
  for (const auto& [device, parts] : devices)
    lines.push_back(fmt::format("fused {}: {}", device, fmt::join(parts, ", ")));
  return lines;
}

std::shared_ptr<const Analysis> analysis() {
  static const auto one = std::make_shared<const Analysis>(Analysis{conclude, key_figures, {}});
  return one;
}

}  // namespace ridge::bench::fusion
