// The limit of each setting, and the records beyond it.
#include "collectives/family/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "bench/harness/lookup.hpp"
#include "collectives/family/curves.hpp"
#include "collectives/family/family.hpp"
#include "collectives/family/points.hpp"

namespace ridge::bench::collective {
namespace {

using collectives::Collective;
using collectives::Operation;
using record::Finding;
using record::Record;
using record::Unit;

constexpr double notably = 1.05;

struct Limit {
  double busbw = 0;
  std::string source;
};

bool is_measured(const Record& record) {
  return record.status == record::Status::ok && record.statistics.median;
}

// Of ranks that share a memory.
std::optional<Limit> by_memory(const Record& mine, std::span<const Record> all) {
  const auto moved = value_of(mine, "bandwidth");
  const auto busbw = value_of(mine, "busbw");
  const Record* best = nullptr;
  for (const Record& other : all) {
    if (!is_measured(other) || other.device != mine.device || other.method.level != "memory") continue;
    const auto reached = value_of(other, "bandwidth");
    if (reached && (best == nullptr || *reached > *value_of(*best, "bandwidth"))) best = &other;
  }
  if (best == nullptr || !moved || !busbw) return std::nullopt;
  const double memory = *value_of(*best, "bandwidth");
  return Limit{*busbw / *moved * memory, fmt::format("{}, what memory allows by the {} that {} moved there in this run",
                                                     record::human(*busbw / *moved * memory, Unit::bytes_per_second),
                                                     record::human(memory, Unit::bytes_per_second), best->benchmark)};
}

// Of ranks that send to each other: a byte of sendrecv crosses one link once.
std::optional<Limit> by_link(const Record& mine, std::span<const Record> all) {
  const Operation& sendrecv = collectives::operation_of(Collective::sendrecv);
  double best = 0;
  for (const Record& other : all)
    if (other.benchmark == sendrecv.name && is_measured(other) && who(other) == who(mine))
      best = std::max(best, static_cast<double>(bytes_of(sendrecv, other.point)) / *other.statistics.median);
  if (best <= 0) return std::nullopt;
  return Limit{best, fmt::format("the {} that sendrecv moved between the same ranks in this run",
                                 record::human(best, Unit::bytes_per_second))};
}

struct Beyond {
  Limit limit;
  double highest = 0;
  double smallest = 0;
  double largest = 0;
  std::set<std::string> levels;
  std::vector<std::string> records;
};

std::string reason_of(const Beyond& beyond, bool one_memory) {
  if (!one_memory)
    return "something on the way adds up (a switch: in-switch reduction), so that the factor counts bytes that no link "
           "carried, or ranks have more to send by than one link (several of them, the caches of one host)";
  const bool in_caches = !beyond.levels.contains("memory") && !beyond.levels.contains("");
  if (in_caches) return fmt::format("caches hold the arrays ({})", fmt::join(beyond.levels, ", "));
  return "part of the arrays stays in caches, or memory can more than was measured";
}

}  // namespace

std::vector<Finding> beyond_limits(const Operation& operation, std::span<const Record> records) {
  std::map<std::string, std::pair<bool, Beyond>> all;  // by who measured: whether they share a memory
  for (const Record& record : records) {
    if (record.benchmark != operation.name || !is_measured(record)) continue;
    const auto busbw = value_of(record, "busbw");
    if (!busbw) continue;
    const bool one_memory = engine_of(record.point) == "threads";
    const auto limit = one_memory ? by_memory(record, records) : by_link(record, records);
    if (!limit || *busbw <= notably * limit->busbw) continue;
    auto& [shared, beyond] = all[who(record)];
    const auto bytes = static_cast<double>(bytes_of(operation, record.point));
    beyond.smallest = beyond.records.empty() ? bytes : std::min(beyond.smallest, bytes);
    beyond.largest = std::max(beyond.largest, bytes);
    beyond.highest = std::max(beyond.highest, *busbw);
    beyond.limit = *limit;
    beyond.levels.insert(record.method.level.value_or(""));
    beyond.records.push_back(record::identity(record));
    shared = one_memory;
  }
  std::vector<Finding> findings;
  for (auto& [whose, found] : all) {
    auto& [one_memory, beyond] = found;
    const std::string sizes =
        beyond.smallest == beyond.largest
            ? record::human_bytes(beyond.largest)
            : fmt::format("{} to {}", record::human_bytes(beyond.smallest), record::human_bytes(beyond.largest));
    findings.push_back({fmt::format("{}-busbw-above-limit", operation.name), record::Severity::note,
                        fmt::format("{} ({}): busbw, up to {} at {}, is above {}: {}", operation.name, whose,
                                    record::human(beyond.highest, Unit::bytes_per_second), sizes, beyond.limit.source,
                                    reason_of(beyond, one_memory)),
                        std::move(beyond.records)});
  }
  return findings;
}

}  // namespace ridge::bench::collective
