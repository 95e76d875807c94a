// From times of ranks to metrics, findings and entries of the report.
#include "collectives/family/trail.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "bench/harness/lookup.hpp"
#include "collectives/family/curves.hpp"
#include "collectives/family/points.hpp"

namespace ridge::bench::collective {
namespace {

using collectives::Operation;
using record::Better;
using record::Finding;
using record::Rank;
using record::RankTimes;
using record::Record;
using record::Unit;

// "rank 1 on node-1 (process 815, CPU 3)".
std::string named(const Rank& rank) {
  std::string text = fmt::format("rank {} on {} (process {}", rank.rank, rank.host, rank.pid);
  if (rank.gpu) text += ", " + *rank.gpu;
  if (rank.cpu) text += fmt::format(", CPU {}", *rank.cpu);
  return text + ")";
}

std::string described(const Operation& operation, const Record& record) {
  std::string text = axis_text(record, "algorithm");
  if (operation.out != collectives::Extent::none)
    text = fmt::format("{} of {}", text, record::human_bytes(static_cast<double>(bytes_of(operation, record.point))));
  return text;
}

// Of the records in which a rank could be late: in two at least, if there are as many, and in a quarter.
bool are_enough(std::size_t late, std::size_t of) {
  return late >= std::min<std::size_t>(2, of) && 4 * late >= of;
}

// What was late in passages must be a share of what was measured as well: those may have been faster.
bool is_late(const RankTimes& times, const Record& record) {
  return times.late && times.awaited > notable_share * *record.statistics.median;
}

// A rank's records in which it is late, the worst first found among them.
struct Late {
  const Rank* rank = nullptr;
  const Record* worst = nullptr;
  double awaited = 0;
  double share = 0;  // of the time
  std::vector<std::string> records;
  std::size_t of = 0;
};

}  // namespace

std::string host_name() {
  char name[64] = {};
  if (::gethostname(name, sizeof name - 1) != 0 || name[0] == 0) return "this host";
  return name;
}

Rank& entry_of(std::vector<Rank>& ranks, const Rank& who) {
  auto at = std::find_if(ranks.begin(), ranks.end(), [&](const Rank& each) { return each.rank >= who.rank; });
  if (at == ranks.end() || at->rank != who.rank) at = ranks.insert(at, who);
  return *at;
}

void Trail::keep(const Operation& operation, const record::Point& point, const std::string& device, Told told) {
  Record record;
  record.benchmark = operation.name;
  record.point = point;
  record.device = device;
  told_[record::identity(record)] = std::move(told);
}

std::optional<double> Trail::join_rate(const Record& record) const {
  const Told* const told = of(record);
  return told == nullptr ? std::nullopt : told->join_rate;
}

const Trail::Told* Trail::of(const Record& record) const {
  if (!record.statistics.median) return nullptr;
  const auto found = told_.find(record::identity(record));
  return found == told_.end() ? nullptr : &found->second;
}

std::vector<Finding> Trail::conclude(const Operation& operation, std::span<Record> records) const {
  std::map<std::pair<std::string, int>, Late> all;  // by who measured, and rank
  for (Record& record : records) {
    const Told* const told = record.benchmark == operation.name ? of(record) : nullptr;
    if (told == nullptr) continue;
    record.metrics.push_back({"time_p95", told->arrivals.p95, Unit::seconds, Better::neither, {}, {}});
    record.metrics.push_back(
        {"latest_rank", static_cast<double>(told->arrivals.latest), Unit::count, Better::neither, {}, {}});
    if (told->join_rate)
      record.metrics.push_back({"join_rate", told->join_rate, Unit::bytes_per_second, Better::neither, {}, {}});
    for (std::size_t r = 0; r < told->who.size(); ++r) {
      const RankTimes& times = told->arrivals.ranks[r];
      Late& late = all[{who(record), told->who[r].rank}];
      late.of += told->arrivals.judged ? 1 : 0;
      if (!is_late(times, record)) continue;
      late.records.push_back(record::identity(record));
      const double share = times.awaited / *record.statistics.median;
      if (late.worst != nullptr && share <= late.share) continue;
      late.rank = &told->who[r];
      late.worst = &record;
      late.awaited = times.awaited;
      late.share = share;
    }
  }
  std::vector<Finding> findings;
  for (auto& [whose, late] : all) {
    if (late.worst == nullptr || !are_enough(late.records.size(), late.of)) continue;
    findings.push_back(
        {fmt::format("{}-late-rank", operation.name), record::Severity::warning,
         fmt::format("{} ({}): the others wait for {}, {} in {}, which takes {}; late in {} of {} records",
                     operation.name, whose.first, named(*late.rank), record::human(late.awaited, Unit::seconds),
                     described(operation, *late.worst), record::human(*late.worst->statistics.median, Unit::seconds),
                     late.records.size(), late.of),
         std::move(late.records)});
  }
  return findings;
}

void Trail::tell(const Operation& operation, std::span<const Record> records, std::vector<Rank>& ranks) const {
  for (const Record& record : records) {
    const Told* const told = record.benchmark == operation.name ? of(record) : nullptr;
    if (told == nullptr) continue;
    for (std::size_t r = 0; r < told->who.size(); ++r) {
      RankTimes times = told->arrivals.ranks[r];
      times.record = record::identity(record);
      times.late = is_late(times, record);
      entry_of(ranks, told->who[r]).times.push_back(std::move(times));
    }
  }
}

}  // namespace ridge::bench::collective
