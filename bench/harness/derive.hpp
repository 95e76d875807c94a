// The one place where work and time become metrics, and where a metric meets its peak.
#pragma once

#include <span>
#include <vector>

#include "bench/harness/definition.hpp"
#include "reports/record/record.hpp"

namespace ridge::bench {

// One metric per rule. With t the median seconds per repetition:
//   Rate::bytes          (bytes_read + bytes_written) / t
//   Rate::operations     operations / t
//   Rate::items_latency  t / items
//   Rate::time           t
// A metric whose work is not stated, or without samples, has no value.
std::vector<record::Metric> derive(std::span<const MetricRule> rules, const record::Work& work,
                                   const record::Statistics& statistics);

// Sets percent_of_peak, and makes an `ok` record `suspect` above 105 % of a known peak: such a number is not a success.
void judge_against_peak(record::Record& record);

// Where no table or attribute knows a memory level's bandwidth, the most that any `ok` record of this run reached in
// that level with the same device, threads and cache policy is the peak of all of them. A group of one record has no
// peak.
void assign_measured_peaks(std::span<record::Record> records);

}  // namespace ridge::bench
