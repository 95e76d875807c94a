// Rates from work and median time; peaks from the run itself where the hardware names none.
#include "bench/harness/derive.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

namespace ridge::bench {
namespace {

constexpr double suspicious_percent = 105.0;

std::optional<double> value_of(Rate rate, const record::Work& work, double seconds) {
  const auto ratio = [](std::optional<std::int64_t> amount, double per) -> std::optional<double> {
    if (!amount || per <= 0) return std::nullopt;
    return static_cast<double>(*amount) / per;
  };
  switch (rate) {
    case Rate::bytes:
      if (!work.bytes_read && !work.bytes_written) return std::nullopt;
      return ratio(work.bytes_read.value_or(0) + work.bytes_written.value_or(0), seconds);
    case Rate::operations:
      return ratio(work.operations, seconds);
    case Rate::items_latency:
      if (!work.items || *work.items <= 0) return std::nullopt;
      return seconds / static_cast<double>(*work.items);
    case Rate::time:
      return seconds;
  }
  return std::nullopt;
}

record::Metric* bandwidth_of(record::Record& record) {
  for (record::Metric& metric : record.metrics)
    if (metric.unit == record::Unit::bytes_per_second && metric.value) return &metric;
  return nullptr;
}

// What must be equal for two bandwidths to have the same ceiling; empty where the level is not known.
std::string ceiling_key(const record::Record& record) {
  if (record.status != record::Status::ok || !record.method.level) return {};
  const auto axis = [&](const char* name) {
    const record::Value* value = record.point.find(name);
    return value ? record::to_text(*value) : std::string();
  };
  return fmt::format("{}|{}|{}|{}|{}", record.device, *record.method.level, threads_of(record.point).value_or(0),
                     axis("gpus"), record.method.cache);
}

}  // namespace

std::vector<record::Metric> derive(std::span<const MetricRule> rules, const record::Work& work,
                                   const record::Statistics& statistics) {
  std::vector<record::Metric> metrics;
  for (const MetricRule& rule : rules) {
    record::Metric metric;
    metric.name = rule.name;
    metric.unit = rule.unit;
    metric.better = rule.better;
    if (statistics.median) metric.value = value_of(rule.rate, work, *statistics.median);
    metrics.push_back(std::move(metric));
  }
  return metrics;
}

void judge_against_peak(record::Record& record) {
  for (record::Metric& metric : record.metrics) {
    if (!metric.value || !metric.peak || metric.peak->value <= 0) continue;
    metric.percent_of_peak = 100.0 * *metric.value / metric.peak->value;
    if (*metric.percent_of_peak > suspicious_percent && record.status == record::Status::ok) {
      record.status = record::Status::suspect;
      record.reason =
          fmt::format("{} is {:.0f} % of its peak ({})", metric.name, *metric.percent_of_peak, metric.peak->source);
    }
  }
}

void assign_measured_peaks(std::span<record::Record> records) {
  struct Group {
    const record::Record* best = nullptr;
    double value = 0;
    int members = 0;
  };
  std::map<std::string, Group> groups;
  for (record::Record& record : records) {
    const std::string key = ceiling_key(record);
    const record::Metric* metric = bandwidth_of(record);
    if (key.empty() || !metric) continue;
    Group& group = groups[key];
    ++group.members;
    if (*metric->value > group.value) group = {&record, *metric->value, group.members};
  }
  for (record::Record& record : records) {
    const auto group = groups.find(ceiling_key(record));
    record::Metric* metric = bandwidth_of(record);
    if (group == groups.end() || !metric || metric->peak || group->second.members < 2) continue;
    metric->peak = record::Peak{group->second.value, fmt::format("measured in this run: {} in {}",
                                                                 group->second.best->benchmark, *record.method.level)};
    judge_against_peak(record);
  }
}

}  // namespace ridge::bench
