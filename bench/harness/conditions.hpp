// How the machine was while samples were taken: CPU quota, stolen time, CPUs that others had, heat, clock, power.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/device/cpu/host_files.hpp"
#include "reports/record/record.hpp"

namespace ridge::bench {

// Counters at one moment, all since some fixed past; absent where the system does not tell.
struct Reading {
  std::optional<std::int64_t> throttled_periods = std::nullopt;     // by control groups, all levels of the path added
  std::optional<std::int64_t> throttled_time = std::nullopt;        // the same, in the kernel's unit
  std::optional<std::int64_t> steal_ticks = std::nullopt;           // wanted by our CPUs, given to others
  std::optional<std::int64_t> busy_ticks = std::nullopt;            // not idle, stolen ones included
  std::optional<std::int64_t> involuntary_switches = std::nullopt;  // of this process, all threads
  std::optional<std::int64_t> thermal_events = std::nullopt;        // throttled by heat, all packages added
  std::optional<std::int64_t> run_delay = std::nullopt;  // ns that the caller and teams were ready and did not run
  std::optional<std::int64_t> energy_uj = std::nullopt;  // taken by the packages, all added
  std::optional<double> seconds = std::nullopt;          // steady clock, when this was read
};

// What one interval ended with.
struct Moment {
  std::optional<double> clock_hz = std::nullopt;
  std::optional<double> power_w = std::nullopt;  // mean over it
};

// Reads the counters that concern some CPUs. Finds the files once; a reading takes some tens of microseconds on a small
// machine and some milliseconds on one with hundreds of CPUs and threads, so it belongs outside of intervals.
class ConditionSource {
 public:
  // `affinity`: the CPUs that count; `root` as in HostSource.
  explicit ConditionSource(std::vector<int> affinity, std::string root = "/");
  [[nodiscard]] Reading read() const;

 private:
  void read_cgroup(Reading& reading) const;
  void read_ticks(Reading& reading) const;
  void read_run_delay(Reading& reading) const;

  device::cpu::Files files_;
  std::vector<int> affinity_;
  std::vector<std::string> cgroup_stats_;    // cpu.stat of each level
  std::vector<std::string> thermal_counts_;  // one per package
  std::vector<std::string> energies_;        // likewise; often only the administrator may read them
};

// Adds up what happened between begin() and end(), as often as they are called, for one record.
class ConditionSampler {
 public:
  // `clock` is asked at each end(), right after the work; it may be empty.
  explicit ConditionSampler(std::function<Reading()> read, std::function<std::optional<double>()> clock = {});

  void begin();
  // Without a begin() before it, nothing.
  void end();
  // Of the last interval that ended.
  [[nodiscard]] const Moment& last() const { return last_; }

  // Absent: never told, or (for the stolen share) too few ticks for a share to mean anything. The clock is the median.
  [[nodiscard]] record::Conditions conditions() const;

 private:
  std::function<Reading()> read_;
  std::function<std::optional<double>()> clock_;
  std::optional<Reading> before_;
  Reading sum_;             // of differences
  double delay_over_ = 0;   // seconds of the intervals whose delay is in the sum
  double energy_over_ = 0;  // the same of the energy
  std::vector<double> clocks_;
  Moment last_;
};

}  // namespace ridge::bench
