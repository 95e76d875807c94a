// Trials of the gate and of its rivals on simulated reports: how often each alarms, and how often each misses.
#pragma once

#include <cstdint>

#include "reports/compare/series.hpp"
#include "reports/compare/study/noise.hpp"

namespace ridge::study {

struct Scenario {
  Noise noise = Noise::normal;
  std::size_t metrics = 10;
  std::size_t base = 10;  // runs
  std::size_t fresh = 3;
  double deviation = 0.01;       // relative, between runs
  bool mixed = false;            // each metric's deviation is log-uniform from a tenth of `deviation` up to it
  compare::Tolerance tolerance;  // of every metric
  double planted = 2;            // × the tolerance, as slowdown of one metric, in the trials that ask for misses
  bool retry = false;  // as `run --against --retry 1`: what alarmed is measured anew, what is undecided gets more runs
};

// Of a number of trials, how many reports alarmed, for each way of judging.
struct Counts {
  std::uint64_t trials = 0;
  std::uint64_t gate = 0;
  std::uint64_t mann_whitney = 0;
  std::uint64_t five_percent = 0;
  std::uint64_t ten_percent = 0;
  std::uint64_t undecided = 0;  // of the planted metric (misses only): the gate did not call it the same
};

// Reports in which nothing changed: how many have an alarm.
Counts false_alarms(const Scenario& scenario, std::uint64_t trials, std::uint64_t seed);

// Reports in which one metric was slowed: how many do not alarm on it.
Counts misses(const Scenario& scenario, std::uint64_t trials, std::uint64_t seed);

// The median, over trials, of the smallest detectable slowdown that the gate states, in standard deviations; 0 when it
// states none. The tolerance is nothing, so that only the runs limit it.
double smallest_detectable(std::size_t metrics, std::size_t base, std::size_t fresh, std::uint64_t trials,
                           std::uint64_t seed);

}  // namespace ridge::study
