// The levels of a memory, read off the latency curve alone; what the system says of them is compared, never used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridge::bench::hierarchy {

// One size of the curve. `told`: the level that the system's own description puts that size in, where it has one.
struct CurvePoint {
  std::int64_t bytes = 0;
  double seconds = 0;
  std::optional<std::string> told = std::nullopt;
};

// A step of the staircase.
struct FoundLevel {
  std::string name;                // as told for the most of its sizes, else "level 1", …; "memory" for the last
  double seconds = 0;              // median over its sizes
  double lowest = 0, highest = 0;  // over its sizes
  std::int64_t from = 0;           // smallest and largest size on the step
  std::int64_t up_to = 0;
  bool open = false;  // nothing larger was measured: `up_to` is where measuring ended, not a capacity
};

struct Staircase {
  std::vector<FoundLevel> levels;
  std::vector<std::string> remarks;  // what cannot be told, and where the system says otherwise; whole sentences
};

// Sizes in any order, each once; seconds > 0. Fewer than `fewest_sizes` tell of no level, and no remark is made.
//
// More memory cannot be faster, so the curve is first made monotone (by pooling neighbours that violate it, least
// squares of log seconds). A step is a run of sizes, at least two, from each to the next of which the latency grows by
// less than a quarter for each doubling. Steps less than 1.5 times apart are one: they cannot be told from each other.
Staircase find_levels(std::vector<CurvePoint> curve);

inline constexpr std::size_t fewest_sizes = 6;
inline constexpr double flat_growth = 1.25;
inline constexpr double telling_ratio = 1.5;

}  // namespace ridge::bench::hierarchy
