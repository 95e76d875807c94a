// When the ranks of a collective come to it and leave it, and which of them the others wait for.
//
// Ranks pass the collective a number of times, one right after the other. A rank that comes late, or is slow in it
// where waiting can be told from moving data, waits less than the others, by as much as they wait for it: that is a
// difference of durations, each by one rank's own clock, so it needs no clock that hosts agree on. When a rank came
// after the first one, and left after the first one, is known on one host only, whose ranks share a clock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collectives/operations/rank_work.hpp"
#include "reports/record/report.hpp"

namespace ridge::bench::collective {

using Passages = std::vector<std::vector<collectives::Passage>>;  // by rank, each of as many

struct Arrivals {
  double p95 = 0;       // seconds of one passage, of the rank that is in it longest
  int latest = 0;       // the rank that the others wait for longest
  bool judged = false;  // one of them could be late
  std::vector<record::RankTimes> ranks;
};

// What can be known of them.
struct Known {
  bool one_clock = true;  // the ranks' clocks are one
  bool alike = true;      // all have as much to do, and a CPU each: one that the others wait for is late
};

// Medians over the passages. Late is a rank that is awaited, beyond what the median of the others is, for more than a
// standard deviation of that over the passages (by the interquartile range, so that one hiccup is none), 10 % of the
// time, and a microsecond, below which reading clocks is a part of it. Nothing of fewer than two ranks or two passages.
std::optional<Arrivals> arrivals_of(const Passages& passages, const Known& known);

inline constexpr double notable_share = 0.10;

// How many passages to look at: after a few first ones that took so long.
inline constexpr std::int64_t first_passages = 3;
std::int64_t passages_after(const Passages& first);

void sleep_for(double seconds);
// Looks at passages, `pass(n)` of them at a time. Where a rank seems late it looks again, after `pause(seconds)`, until
// that rank was late throughout a quarter of a second or was not: what else runs on a CPU takes it for shorter than
// that, most of the time. The arrivals are those of the first look, a rank of them late if it was in every one.
std::optional<Arrivals> watch(const std::function<Passages(std::int64_t times)>& pass, const Known& known,
                              const std::function<void(double seconds)>& pause = sleep_for);

}  // namespace ridge::bench::collective
