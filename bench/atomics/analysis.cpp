// Predictions from what was measured in the same run on the same device.
#include "bench/atomics/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/atomics/points.hpp"
#include "bench/harness/lookup.hpp"

namespace ridge::bench::atomics {
namespace {

using record::Better;
using record::Record;
using record::Unit;
using ridge::atomics::Counters;

constexpr std::int64_t warps_of_block = 8;
constexpr double sectors_of_neighbours = 4;
constexpr double sectors_of_spread = 32;

bool counts(const Record& record) {
  return record.benchmark.starts_with("atomics.") && record.benchmark != "atomics.handover";
}

bool on_cpu(const Record& record) {
  return record.device == "cpu";
}

std::int64_t threads_of(const Record& record) {
  return on_cpu(record) ? record.point.integer("threads") : 0;
}

void add(Record& record, const char* name, double value, Unit unit) {
  record.metrics.push_back({name, value, unit, Better::neither, std::nullopt, std::nullopt});
}

// The measured rate of the same benchmark with other counters or threads.
std::optional<double> rate_of(std::span<const Record> records, const Record& like, Counters counters,
                              std::int64_t threads) {
  const Record* const found = find(records, like.benchmark, like.device, [&](const Record& other) {
    return counters_of(other.point) == counters && threads_of(other) == threads &&
           other.method.cache == like.method.cache && value_of(other, "ops");
  });
  return found == nullptr ? std::nullopt : value_of(*found, "ops");
}

std::optional<double> handover_latency(std::span<const Record> records, const Record& like) {
  const Record* const found =
      find(records, "atomics.handover", like.device, [](const Record& other) { return value_of(other, "latency"); });
  return found == nullptr ? std::nullopt : value_of(*found, "latency");
}

std::optional<double> predicted_on_cpu(std::span<const Record> records, const Record& record) {
  const std::int64_t threads = threads_of(record);
  if (threads < 2) return std::nullopt;
  if (counters_of(record.point) == Counters::spread) {
    const auto alone = rate_of(records, record, Counters::spread, 1);
    return alone ? std::optional(static_cast<double>(threads) * *alone) : std::nullopt;
  }
  if (record.benchmark != "atomics.add") return std::nullopt;
  const auto latency = handover_latency(records, record);
  return latency ? std::optional(1 / *latency) : std::nullopt;
}

std::optional<double> predicted_on_gpu(std::span<const Record> records, const Record& record) {
  const auto one = rate_of(records, record, Counters::one, 0);
  const auto separate = rate_of(records, record, Counters::neighbours, 0);
  switch (counters_of(record.point)) {
    case Counters::warp: {
      if (!one || !separate || !record.work.items) return std::nullopt;
      const bool shared = record.benchmark == "atomics.shared";
      const auto addresses = static_cast<double>(shared ? warps_of_block : *record.work.items / 32);
      return std::min(addresses * *one, *separate);
    }
    case Counters::spread:
      return separate ? std::optional(*separate * sectors_of_neighbours / sectors_of_spread) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<record::Finding> conclude(std::span<Record> records) {
  for (Record& record : records) {
    if (!counts(record) || record.status == record::Status::skipped) continue;
    if (!on_cpu(record))
      add(record, "predicted_turns_per_atomic", ridge::atomics::turns(counters_of(record.point)), Unit::count);
    const auto ops = value_of(record, "ops");
    if (!ops) continue;
    const bool waits = on_cpu(record) && threads_of(record) > 1 && counters_of(record.point) != Counters::spread;
    if (const auto ceiling = rate_of(records, record, counters_of(record.point), 1); waits && ceiling)
      add(record, "ceiling_ops", *ceiling, Unit::op_per_second);
    const auto predicted = on_cpu(record) ? predicted_on_cpu(records, record) : predicted_on_gpu(records, record);
    if (!predicted) continue;
    add(record, "predicted_ops", *predicted, Unit::op_per_second);
    add(record, "share_of_prediction", *ops / *predicted, Unit::ratio);
  }
  return {};
}

// "atomics.add cpu, 2 threads: one 25 MOP/s, neighbours 26 MOP/s, spread 400 MOP/s", and where nothing has a time the
// turns that lanes take: "atomics.add ptx:0, turns of a warp's lanes: one 32, warp 32, neighbours 1, spread 1".
std::vector<std::string> key_figures(std::span<const Record> records) {
  std::vector<std::string> lines;
  for (const Record& first : records) {
    if (!counts(first) || counters_of(first.point) != Counters::one) continue;
    std::vector<std::string> rates;
    std::vector<std::string> turns;
    for (const Record& record : records) {
      if (!is(record, first.benchmark, first.device) || threads_of(record) != threads_of(first)) continue;
      if (const auto ops = value_of(record, "ops"))
        rates.push_back(fmt::format("{} {}", record.point.text("counters"), record::human(*ops, Unit::op_per_second)));
      if (const auto counted = value_of(record, "turns_per_atomic"))
        turns.push_back(fmt::format("{} {:.3g}", record.point.text("counters"), *counted));
    }
    const std::string where = on_cpu(first) ? fmt::format("{} {}, {} thread{}", first.benchmark, first.device,
                                                          threads_of(first), threads_of(first) == 1 ? "" : "s")
                                            : fmt::format("{} {}", first.benchmark, first.device);
    if (!rates.empty())
      lines.push_back(fmt::format("{}: {}", where, fmt::join(rates, ", ")));
    else if (!turns.empty())
      lines.push_back(fmt::format("{}, turns of a warp's lanes: {}", where, fmt::join(turns, ", ")));
  }
  for (const Record& record : records)
    if (const auto latency = value_of(record, "latency"); latency && record.benchmark == "atomics.handover")
      lines.push_back(fmt::format("atomics.handover {}: {}", record.device, record::human(*latency, Unit::seconds)));
  return lines;
}

std::shared_ptr<const Analysis> analysis() {
  static const auto one = std::make_shared<const Analysis>(Analysis{conclude, key_figures, {}});
  return one;
}

}  // namespace ridge::bench::atomics
