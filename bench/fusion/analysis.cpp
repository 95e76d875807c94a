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

using record::Better;
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
  return *seconds_of(*cached) / static_cast<double>(*cached->work.items);
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

bool beyond_caches(const Record& record) {
  return record.method.level == "memory";
}

bool passes_of(const Record& other, const Record& record) {
  return same_steps(other, record) && !is_fused(other.point) && same_size(other, record);
}

const Record* unfused_of(std::span<const Record> all, const Record& record) {
  return first(all, [&](const Record& other) { return passes_of(other, record); });
}

// Bytes that the reference machine counted, besides what a case says that it does besides.
std::optional<double> proven_bytes(const Record& record) {
  if (!of_family(record) || !value_of(record, "work_proven")) return std::nullopt;
  return static_cast<double>(*record.work.bytes_read + *record.work.bytes_written);
}

// What can be said without a clock: how many times fewer bytes the fused side moves.
std::optional<double> byte_ratio(std::span<const Record> all, const Record& record) {
  const auto bytes = is_fused(record.point) ? proven_bytes(record) : std::nullopt;
  if (!bytes) return std::nullopt;
  for (const Record& other : all)
    if (const auto more = proven_bytes(other); more && passes_of(other, record)) return *more / *bytes;
  return std::nullopt;
}

}  // namespace

std::vector<Finding> conclude(std::span<Record> records) {
  std::vector<Finding> findings;
  for (Record& record : records) {
    if (!of_family(record) || record.benchmark == attention_name || record.benchmark == epilogue_name) continue;
    if (const auto ratio = byte_ratio(records, record))
      record.metrics.push_back({"predicted_speedup", *ratio, Unit::ratio, Better::neither, {}, {}});
    if (!seconds_of(record) || !beyond_caches(record)) continue;
    const auto predicted = predict(records, record);
    add_prediction(record, predicted);
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
