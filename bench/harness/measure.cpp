// Calibration and warm-up, and the timing of one interval.
#include "bench/harness/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "bench/harness/statistics.hpp"

namespace ridge::bench {
namespace {

constexpr double ticks_per_interval = 1000.0;
constexpr double agreement = 0.02;
constexpr int most_warm_ups = 8;
constexpr double most_warm_up_seconds = 0.5;
constexpr std::int64_t most_repetitions = std::int64_t{1} << 40;
constexpr double fastest_growth = 16.0;

double time_of(Case& c, std::int64_t repetitions) {
  return c.stream().time([&] { c.run(repetitions); }).seconds;
}

// Enough for `target` with a margin, but never a leap on the word of one short interval.
std::int64_t next_repetitions(std::int64_t now, double seconds, double target) {
  const double wanted =
      seconds > 0 ? static_cast<double>(now) * target * 1.1 / seconds : fastest_growth * static_cast<double>(now);
  const double bounded =
      std::clamp(wanted, static_cast<double>(now) + 1, static_cast<double>(now) * fastest_growth + 1);
  return std::min(most_repetitions, static_cast<std::int64_t>(bounded));
}

}  // namespace

double timer_tick() {
  static const double tick = [] {
    using Clock = std::chrono::steady_clock;
    double smallest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 200; ++i) {
      const auto start = Clock::now();
      auto now = Clock::now();
      while (now == start) now = Clock::now();
      smallest = std::min(smallest, std::chrono::duration<double>(now - start).count());
    }
    return smallest;
  }();
  return tick;
}

Pace warm_up(Case& c, const Settings& settings, const std::function<bool()>& stop) {
  const double shortest = ticks_per_interval * timer_tick();
  Pace pace;
  if (settings.cache == CachePolicy::cold) {
    measure_interval(c, settings, pace);  // page faults and first use of code
    const double seconds = measure_interval(c, settings, pace);
    pace.intervals =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(shortest / std::max(seconds, timer_tick()))));
    return pace;
  }
  const double target = std::max(settings.min_time, shortest);
  double last = time_of(c, pace.repetitions);
  double spent = last;
  while (last < target && pace.repetitions < most_repetitions && !stop()) {
    pace.repetitions = next_repetitions(pace.repetitions, last, target);
    last = time_of(c, pace.repetitions);
    spent += last;
  }
  for (int i = 0; i < most_warm_ups && spent < most_warm_up_seconds && !stop(); ++i) {
    const double now = time_of(c, pace.repetitions);
    spent += now;
    const bool stable = std::abs(now - last) <= agreement * now;
    last = now;
    if (stable) break;
  }
  return pace;
}

double measure_interval(Case& c, const Settings& settings, const Pace& pace) {
  if (settings.cache == CachePolicy::cold)
    c.stream().flush_caches();
  else
    c.warm();
  return time_of(c, pace.repetitions);
}

double empty_interval(device::Stream& stream) {
  std::vector<double> seconds;
  for (int i = 0; i < 21; ++i) seconds.push_back(stream.time([] {}).seconds);
  return *median(seconds);
}

}  // namespace ridge::bench
