// One case in measurement: how many repetitions make an interval, when it is warm, and one interval of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "bench/harness/settings.hpp"

namespace ridge::bench {

// Repetitions per interval and intervals per sample.
struct Pace {
  std::int64_t repetitions = 1;
  std::int64_t intervals = 1;
  std::optional<double> warm_seconds;  // cold: of a repetition among many back to back, too
};

// The smallest step of the steady clock that this machine shows, in seconds; an interval should last 1000 of them.
double timer_tick();

// Chooses the pace and warms up: repetitions grow until an interval lasts at least `settings.min_time` and 1000 ticks,
// then intervals are repeated until two in a row agree within 2 % (at most 8 of them, or half a second). Cold: one
// repetition per interval, and as many intervals as make 1000 ticks; what a repetition takes warm is told besides.
// `stop` ends it early.
Pace warm_up(Case& c, const Settings& settings, const std::function<bool()>& stop);

// Seconds of one interval: pace.repetitions back to back; when cold, after a flush outside of the interval.
double measure_interval(Case& c, const Settings& settings, const Pace& pace);

// The median time of an interval with nothing in it, in seconds.
double empty_interval(device::Stream& stream);

}  // namespace ridge::bench
