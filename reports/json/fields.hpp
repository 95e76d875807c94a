// The one list of keys: which member of the record is which field of the JSON, for the writer and the reader alike.
#pragma once

#include <concepts>
#include <type_traits>

#include "reports/record/report.hpp"

namespace ridge::json {

template <class T, class Plain>
concept Is = std::same_as<std::remove_const_t<T>, Plain>;  // Plain when reading, const Plain when writing

// An archive takes (key, member) for what may be absent when read, `required` for what may not, and `reason` for text
// that is null where there is nothing to say. The top level, whose keys do not follow the struct, is written and read
// in write.cpp and read.cpp.
template <class A, Is<record::Work> T>
void describe(A& a, T& work) {
  a("bytes_read", work.bytes_read);
  a("bytes_written", work.bytes_written);
  a("operations", work.operations);
  a("items", work.items);
  a("counting", work.counting);
}

template <class A, Is<record::Method> T>
void describe(A& a, T& method) {
  a("cache", method.cache);
  a("fill", method.fill);
  a("repetitions", method.repetitions);
  a("intervals", method.intervals);
  a("empty_interval", method.empty_interval);
  a("working_set", method.working_set);
  a("level", method.level);
  a("page_size", method.page_size);
}

template <class A, Is<record::Statistics> T>
void describe(A& a, T& statistics) {
  a("count", statistics.count);
  a("median", statistics.median);
  a("mean", statistics.mean);
  a("best", statistics.best);
  a("worst", statistics.worst);
  a("stddev", statistics.stddev);
  a("iqr", statistics.iqr);
  a("relative_spread", statistics.relative_spread);
}

template <class A, Is<record::Peak> T>
void describe(A& a, T& peak) {
  a.required("value", peak.value);
  a.required("source", peak.source);
}

template <class A, Is<record::Metric> T>
void describe(A& a, T& metric) {
  a.required("name", metric.name);
  a.required("value", metric.value);
  a.required("unit", metric.unit);
  a.required("better", metric.better);
  a("peak", metric.peak);
  a("percent_of_peak", metric.percent_of_peak);
}

template <class A, Is<record::Verification> T>
void describe(A& a, T& verification) {
  a.required("status", verification.status);
  a.reason("reason", verification.reason);
  a("checked", verification.checked);
  a("max_error", verification.max_error);
  a("bound", verification.bound);
}

template <class A, Is<record::Conditions> T>
void describe(A& a, T& conditions) {
  a("clock_hz", conditions.clock_hz);
  a("temperature_c", conditions.temperature_c);
  a("power_w", conditions.power_w);
  a("throttled", conditions.throttled);
  a("throttle_reason", conditions.throttle_reason);
  a("cgroup_throttled", conditions.cgroup_throttled);
  a("steal_fraction", conditions.steal_fraction);
  a("involuntary_switches", conditions.involuntary_switches);
  a("run_delay_fraction", conditions.run_delay_fraction);
}

template <class A, Is<record::Record> T>
void describe(A& a, T& record) {
  a.required("benchmark", record.benchmark);
  a.required("workload_version", record.workload_version);
  a.required("point", record.point);
  a.required("device", record.device);
  a.required("status", record.status);
  a.reason("reason", record.reason);
  a("failure", record.failure);
  a("work", record.work);
  a("method", record.method);
  a.required("samples", record.samples);
  a("statistics", record.statistics);
  a.required("metrics", record.metrics);
  a("verification", record.verification);
  a("conditions", record.conditions);
  a("reproduce", record.reproduce);
}

template <class A, Is<record::Finding> T>
void describe(A& a, T& finding) {
  a.required("code", finding.code);
  a.required("severity", finding.severity);
  a.required("message", finding.message);
  a("records", finding.records);
}

template <class A, Is<record::Tool> T>
void describe(A& a, T& tool) {
  a("name", tool.name);
  a("version", tool.version);
  a("commit", tool.commit);
  a("build_type", tool.build_type);
  a("compiler", tool.compiler);
  a("architectures", tool.architectures);
}

}  // namespace ridge::json
