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
constexpr std::size_t warm_intervals_of_cold = 3;

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

// Intervals of more and more repetitions, until one lasts `target`.
struct Grown {
  std::int64_t repetitions = 1;
  double last = 0;   // seconds
  double spent = 0;  // of all of them
};
Grown grow(Case& c, double target, const std::function<bool()>& stop) {
  Grown grown;
  grown.spent = grown.last = time_of(c, grown.repetitions);
  while (grown.last < target && grown.repetitions < most_repetitions && !stop()) {
    grown.repetitions = next_repetitions(grown.repetitions, grown.last, target);
    grown.last = time_of(c, grown.repetitions);
    grown.spent += grown.last;
  }
  return grown;
}

// Seconds of a repetition, the median of a few intervals.
double warm_repetition(Case& c, double target, const std::function<bool()>& stop) {
  const Grown grown = grow(c, target, stop);
  std::vector<double> seconds{grown.last};
  while (seconds.size() < warm_intervals_of_cold && !stop()) seconds.push_back(time_of(c, grown.repetitions));
  return *median(seconds) / static_cast<double>(grown.repetitions);
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
  const double target = std::max(settings.min_time, shortest);
  Pace pace;
  if (settings.cache == CachePolicy::cold) {
    measure_interval(c, settings, pace);  // page faults and first use of code
    const double seconds = measure_interval(c, settings, pace);
    pace.intervals =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(shortest / std::max(seconds, timer_tick()))));
    pace.warm_seconds = warm_repetition(c, target, stop);
    return pace;
  }
  auto [repetitions, last, spent] = grow(c, target, stop);
  pace.repetitions = repetitions;
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
