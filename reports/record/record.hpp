// The record: everything known about one measured case. Plain data; numbers are finite or absent, never a stand-in.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/record/status.hpp"
#include "reports/record/unit.hpp"
#include "reports/record/value.hpp"

namespace ridge::record {

// What one repetition does. Absent means that the benchmark makes no statement about it.
struct Work {
  std::optional<std::int64_t> bytes_read;
  std::optional<std::int64_t> bytes_written;
  std::optional<std::int64_t> operations;  // of the kind the counting rule names
  std::optional<std::int64_t> items;       // elements, messages, hops: what `time` per item divides by
  std::string counting;                    // the rule in words, e.g. "STREAM: each array once, no write-allocate"
};

// Of the samples, seconds per repetition. Spread (stddev, iqr) is absent under 5 samples.
struct Statistics {
  std::int64_t count = 0;
  std::optional<double> median;
  std::optional<double> mean;
  std::optional<double> best;   // the smallest
  std::optional<double> worst;  // the largest
  std::optional<double> stddev;
  std::optional<double> iqr;              // interquartile range
  std::optional<double> relative_spread;  // iqr / median
};

// The most a metric could be, with where that figure comes from. Unknown hardware has no peak, never a guess.
struct Peak {
  double value = 0;
  std::string source;  // "attribute: …", "table: …", "measured in this run: …"
};

struct Metric {
  std::string name;             // bandwidth, latency, flops, ops, time, algbw, busbw, …
  std::optional<double> value;  // in `unit`
  Unit unit = Unit::ratio;
  Better better = Better::neither;
  std::optional<Peak> peak;
  std::optional<double> percent_of_peak;
};

enum class Check { passed, failed, not_applicable };
std::string_view to_string(Check check);
std::optional<Check> check_from(std::string_view text);

struct Verification {
  Check status = Check::not_applicable;
  std::string reason;               // required unless passed
  std::int64_t checked = 0;         // elements compared
  std::optional<double> max_error;  // in the same measure as `bound`
  std::optional<double> bound;
};

// How the machine was while the samples were taken; absent where the system does not tell.
struct Conditions {
  std::optional<double> clock_hz;  // effective core clock, by spin probe
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::optional<bool> throttled;  // by the hardware
  std::optional<std::string> throttle_reason;
  std::optional<bool> cgroup_throttled;  // by the CPU quota
  std::optional<double> steal_fraction;  // share of CPU time a hypervisor gave to others
  std::optional<std::int64_t> involuntary_switches;
  // What measuring threads were ready to run and others had their CPU, as a share of the measured time: 1 is a thread
  // that never ran. Of all of them together, so it may be more.
  std::optional<double> run_delay_fraction;
};

// How one sample was taken.
struct Method {
  std::string cache;                        // "warm" or "cold"
  std::string fill;                         // "random", "zero"
  std::int64_t repetitions = 0;             // per interval
  std::int64_t intervals = 0;               // per sample
  std::optional<double> empty_interval;     // seconds an interval with nothing in it takes
  std::optional<std::int64_t> working_set;  // bytes
  std::optional<std::string> level;         // the memory level the working set sits in: L1, L2, L3, memory
  std::optional<std::int64_t> page_size;    // bytes, of the buffers
};

struct Record {
  std::string benchmark;
  std::int64_t workload_version = 1;
  Point point;
  std::string device;  // cpu, cuda:0, ptx:1
  Status status = Status::not_run;
  std::string reason;
  Failure failure = Failure::none;
  Work work;
  Method method;
  std::vector<double> samples;  // seconds per repetition, one per round
  Statistics statistics;
  std::vector<Metric> metrics;
  Verification verification;
  Conditions conditions;
  std::string reproduce;  // a command line that gives this record again

  [[nodiscard]] const Metric* metric(std::string_view name) const;
};

// "bandwidth.triad size=536870912 dtype=f64 … on cpu": what identifies a record within a report.
std::string identity(const Record& record);

}  // namespace ridge::record
