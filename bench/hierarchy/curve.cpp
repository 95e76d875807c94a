// Finds the steps of a staircase and says what the system says otherwise.
#include "bench/hierarchy/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "reports/record/unit.hpp"

namespace ridge::bench::hierarchy {
namespace {

std::string bytes_text(std::int64_t bytes) {
  return record::human_bytes(static_cast<double>(bytes));
}

// Log seconds, made non-decreasing: the pool-adjacent-violators algorithm.
std::vector<double> monotone(std::span<const CurvePoint> curve) {
  struct Pool {
    double sum;
    std::size_t members;
    [[nodiscard]] double mean() const { return sum / static_cast<double>(members); }
  };
  std::vector<Pool> pools;
  for (const CurvePoint& point : curve) {
    pools.push_back({std::log(point.seconds), 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().members += last.members;
    }
  }
  std::vector<double> logs;
  for (const Pool& pool : pools) logs.insert(logs.end(), pool.members, pool.mean());
  return logs;
}

struct Run {
  std::size_t first = 0, last = 0;  // indices, inclusive
};

std::vector<Run> flat_runs(std::span<const CurvePoint> curve, std::span<const double> logs) {
  std::vector<Run> runs{{0, 0}};
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const double doublings = std::log2(static_cast<double>(curve[i].bytes) / static_cast<double>(curve[i - 1].bytes));
    if (logs[i] - logs[i - 1] < std::log(flat_growth) * doublings)
      runs.back().last = i;
    else
      runs.push_back({i, i});
  }
  std::erase_if(runs, [](const Run& run) { return run.first == run.last; });
  std::vector<Run> told_apart;
  for (const Run& run : runs) {
    if (!told_apart.empty() && logs[run.first] - logs[told_apart.back().last] < std::log(telling_ratio))
      told_apart.back().last = run.last;
    else
      told_apart.push_back(run);
  }
  return told_apart;
}

FoundLevel level_of(std::span<const CurvePoint> curve, const Run& run) {
  std::vector<double> seconds;
  for (std::size_t i = run.first; i <= run.last; ++i) seconds.push_back(curve[i].seconds);
  std::sort(seconds.begin(), seconds.end());
  const std::size_t middle = seconds.size() / 2;
  FoundLevel level;
  level.seconds = seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  level.lowest = seconds.front();
  level.highest = seconds.back();
  level.from = curve[run.first].bytes;
  level.up_to = curve[run.last].bytes;
  level.open = run.last + 1 == curve.size();
  return level;
}

// What is told of the most sizes of the run; the nearer to the core of several.
std::optional<std::string> told_of(std::span<const CurvePoint> curve, const Run& run) {
  std::vector<std::pair<std::string, int>> counts;
  for (std::size_t i = run.first; i <= run.last; ++i) {
    if (!curve[i].told) continue;
    const auto known =
        std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == curve[i].told; });
    if (known == counts.end())
      counts.emplace_back(*curve[i].told, 1);
    else
      ++known->second;
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? std::nullopt : std::optional(most->first);
}

void name_levels(std::span<const CurvePoint> curve, std::span<const Run> runs, std::vector<FoundLevel>& levels) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(levels.begin(), levels.end(), [&](const FoundLevel& level) { return level.name == name; });
  };
  const bool to_memory = curve.back().told == "memory" && !levels.empty() && levels.back().open;
  if (to_memory) levels.back().name = "memory";
  for (std::size_t i = 0; i < levels.size() - (to_memory ? 1 : 0); ++i) {
    const auto told = told_of(curve, runs[i]);
    levels[i].name = told && !taken(*told) ? *told : fmt::format("level {}", i + 1);
  }
}

// Largest and following size of each told cache: what the system says of its capacity, as far as the sizes show it.
void compare_with_told(std::span<const CurvePoint> curve, Staircase& staircase) {
  std::map<std::string, std::int64_t> told;
  for (const CurvePoint& point : curve)
    if (point.told && *point.told != "memory") told[*point.told] = std::max(told[*point.told], point.bytes);
  if (told.empty()) {
    staircase.remarks.emplace_back("the system says nothing of its caches: these levels are from the curve alone");
    return;
  }
  for (const auto& [name, bytes] : told) {
    const auto found = std::find_if(staircase.levels.begin(), staircase.levels.end(),
                                    [&, level = name](const FoundLevel& l) { return l.name == level; });
    if (found == staircase.levels.end()) {
      staircase.remarks.push_back(fmt::format(
          "{}, which the system says holds {}, has no step of its own: it cannot be told from its neighbours", name,
          bytes_text(bytes)));
    } else if (!found->open && (found->up_to * 2 < bytes || bytes * 2 < found->up_to)) {
      staircase.remarks.push_back(fmt::format(
          "the system says that {} holds {}; the curve leaves it above {}{}", name, bytes_text(bytes),
          bytes_text(found->up_to), found->up_to < bytes ? ": others share it, or lines meet in the same sets" : ""));
    }
  }
}

}  // namespace

Staircase find_levels(std::vector<CurvePoint> curve) {
  Staircase staircase;
  if (curve.size() < fewest_sizes) return staircase;
  std::sort(curve.begin(), curve.end(), [](const CurvePoint& a, const CurvePoint& b) { return a.bytes < b.bytes; });
  const auto logs = monotone(curve);
  const auto runs = flat_runs(curve, logs);
  for (const Run& run : runs) staircase.levels.push_back(level_of(curve, run));
  if (staircase.levels.empty()) {
    staircase.remarks.emplace_back("the latency curve has no step: it rises from each size to the next");
    return staircase;
  }
  name_levels(curve, runs, staircase.levels);
  if (!staircase.levels.back().open)
    staircase.remarks.push_back(fmt::format("the latency still rises at {}: larger sets would show the next level",
                                            bytes_text(curve.back().bytes)));
  compare_with_told(curve, staircase);
  return staircase;
}

}  // namespace ridge::bench::hierarchy
