// A side's predicted time is the longer of what its bytes take at the bandwidth of this run, and of what its arithmetic
// takes where a cache keeps the bytes away from memory.
#include "bench/fusion/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/fusion/points.hpp"
#include "bench/harness/lookup.hpp"

namespace ridge::bench::fusion {
namespace {

using record::Better;
using record::Finding;
using record::Record;
using record::Unit;

// From here on a gap is worth a line.
constexpr double near_enough = 0.9;

bool of_family(const Record& record) {
  return record.benchmark.starts_with("fusion.");
}

std::optional<double> seconds_of(const Record& record) {
  return of_family(record) && record.status == record::Status::ok ? record.statistics.median : std::nullopt;
}

bool alike(const Record& a, const Record& b) {
  return a.device == b.device && a.method.cache == b.method.cache && axis_text(a, "threads") == axis_text(b, "threads");
}
bool same_size(const Record& a, const Record& b) {
  return axis_text(a, "size") == axis_text(b, "size");
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
    return other.benchmark == record.benchmark && alike(other, record) &&
           is_fused(other.point) == is_fused(record.point) && ops_of(other.point) == ops_of(record.point) &&
           (other.method.level == "L1" || other.method.level == "L2");
  });
  if (cached == nullptr || !cached->work.items || *cached->work.items == 0) return std::nullopt;
  return *seconds_of(*cached) / static_cast<double>(*cached->work.items);
}

// A pass with exponentials takes the longer of its bytes and of all the arithmetic there is, and other passes their
// bytes; a fused kernel, and passes of little arithmetic, take the longer of the two as a whole.
struct Predicted {
  double by_bytes = 0;  // of what overlaps with arithmetic
  double by_arithmetic = 0;
  double besides = 0;  // bytes of passes that do not
  [[nodiscard]] double seconds() const { return besides + std::max(by_bytes, by_arithmetic); }
};

const Facts& facts_of(const Record& record) {
  for (const Facts& facts : ridge::fused::all_facts())
    if (record.benchmark.substr(record.benchmark.find('.') + 1) == facts.name) return facts;
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

const Record* unfused_of(std::span<const Record> all, const Record& record) {
  return first(all, [&](const Record& other) {
    return other.benchmark == record.benchmark && !is_fused(other.point) && alike(other, record) &&
           same_size(other, record) && ops_of(other.point) == ops_of(record.point);
  });
}

void add(Record& record, const char* name, double value, Unit unit, Better better) {
  record.metrics.push_back({name, value, unit, better, std::nullopt, std::nullopt});
}

std::string name_of(const Record& record) {
  const std::string pair = record.benchmark.substr(record.benchmark.find('.') + 1);
  return record.point.find("ops") == nullptr ? pair : fmt::format("{} of {}", pair, ops_of(record.point));
}

// One line on what explains a gap between the two ratios: which side is how far from its own roof, and by what.
std::string explained(const Record& fused, const Predicted& of_fused, const Record& unfused,
                      const Predicted& of_unfused, double measured, double predicted) {
  const auto share = [](const Record& record, const Predicted& roof) {
    return fmt::format("{:.0f} % of its roof ({})", 100 * roof.seconds() / *seconds_of(record),
                       roof.by_arithmetic > roof.by_bytes ? "arithmetic" : "memory");
  };
  return fmt::format("fusion {}: {:.3g} times faster fused, {:.3g} predicted; fused {}, passes {}", name_of(fused),
                     measured, predicted, share(fused, of_fused), share(unfused, of_unfused));
}

}  // namespace

std::vector<Finding> conclude(std::span<Record> records) {
  std::vector<Finding> findings;
  for (Record& record : records) {
    if (!seconds_of(record) || !beyond_caches(record)) continue;
    const auto predicted = predict(records, record);
    if (predicted) {
      add(record, "predicted_time", predicted->seconds(), Unit::seconds, Better::neither);
      add(record, "roof_share", predicted->seconds() / *seconds_of(record), Unit::ratio, Better::neither);
    }
    const Record* const passes = is_fused(record.point) ? unfused_of(records, record) : nullptr;
    if (passes == nullptr) continue;
    const double measured = *seconds_of(*passes) / *seconds_of(record);
    add(record, "speedup", measured, Unit::ratio, Better::higher);
    const auto of_passes = predict(records, *passes);
    if (!predicted || !of_passes) continue;
    const double expected = of_passes->seconds() / predicted->seconds();
    add(record, "predicted_speedup", expected, Unit::ratio, Better::neither);
    if (measured < near_enough * expected)
      findings.push_back({"fusion-gap",
                          record::Severity::note,
                          explained(record, *predicted, *passes, *of_passes, measured, expected),
                          {}});
  }
  return findings;
}

// "fusion cpu: chain of 8 7.6x (8), softmax 2.2x (2.5)": measured, and predicted in brackets.
std::vector<std::string> key_figures(std::span<const Record> records) {
  std::vector<std::pair<std::string, std::vector<std::string>>> devices;
  for (const Record& record : records) {
    const auto speedup = of_family(record) ? value_of(record, "speedup") : std::nullopt;
    if (!speedup || (record.point.find("ops") != nullptr && ops_of(record.point) == 1)) continue;
    if (devices.empty() || devices.back().first != record.device)
      devices.emplace_back(record.device, std::vector<std::string>{});
    std::string part = fmt::format("{} {:.2g}x", name_of(record), *speedup);
    if (const auto predicted = value_of(record, "predicted_speedup")) part += fmt::format(" ({:.2g})", *predicted);
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
