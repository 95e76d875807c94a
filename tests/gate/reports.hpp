// Reports made for the gate's tests: a machine, and metrics with the values they are given.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "reports/record/report.hpp"

namespace ridge::test {

inline record::Record latency(const std::string& name, double seconds) {
  record::Record made;
  made.benchmark = "latency." + name;
  made.point.set("size", std::int64_t{4096});
  made.device = "cpu";
  made.status = record::Status::ok;
  made.samples = {seconds, seconds, seconds, seconds, seconds};
  record::Metric metric;
  metric.name = "time";
  metric.value = seconds;
  metric.unit = record::Unit::seconds;
  metric.better = record::Better::lower;
  made.metrics = {metric};
  made.verification.status = record::Check::passed;
  return made;
}

// A run of the metrics a, b, … at these values; `index` makes it a run of its own.
inline record::Report report(const std::vector<double>& values, int index = 0) {
  record::Report made;
  made.tool = {"ridge", "0.1.0", "0123456789ab", "Release", "GNU 12.2.0", {}};
  made.command = "ridge run --suite ci";
  made.started = fmt::format("2025-01-02T03:{:02}:{:02}Z", index / 60, index % 60);
  made.duration = 1;
  made.machine.identity.cpu_model = "Example CPU 3000";
  made.machine.identity.architecture = "x86_64";
  made.machine.identity.cores_used = 2;
  made.machine.software.kernel = "6.1.0";
  made.machine.incidental.hostname = "node-1";
  for (std::size_t i = 0; i < values.size(); ++i)
    made.records.push_back(latency(std::string(1, static_cast<char>('a' + i)), values[i]));
  return made;
}

// Deviations of a metric between runs: about 1 %, the same every time, different for each metric and run.
inline double wobble(int metric, int run) {
  const unsigned mixed =
      (static_cast<unsigned>(metric) * 2654435761U + static_cast<unsigned>(run) * 40503U) ^ 0x9E3779B9U;
  return 1 + 0.01 * ((mixed * 2246822519U >> 8U) % 2001 / 1000.0 - 1);
}

// `count` runs of five metrics around 1, 2, … µs; the first is slowed by `factor`.
inline std::vector<record::Report> runs(int first, int count, double factor = 1) {
  std::vector<record::Report> all;
  for (int run = first; run < first + count; ++run) {
    std::vector<double> values;
    for (int metric = 0; metric < 5; ++metric) values.push_back(1e-6 * (metric + 1) * wobble(metric, run));
    values.front() *= factor;
    all.push_back(report(values, run));
  }
  return all;
}

}  // namespace ridge::test
