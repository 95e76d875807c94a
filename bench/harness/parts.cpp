// Medians of parts, and comparing what ran together with what ran alone.
#include "bench/harness/parts.hpp"

#include <algorithm>
#include <numeric>

#include "bench/harness/statistics.hpp"

namespace ridge::bench {

void PartSamples::add(const std::vector<Part>& parts) {
  for (const Part& part : parts) {
    Samples& samples = parts_[part.name];
    samples.bytes = part.bytes;
    samples.seconds.push_back(part.seconds);
  }
}

std::vector<record::Metric> PartSamples::metrics() const {
  std::vector<record::Metric> all;
  for (const auto& [name, samples] : parts_) {
    record::Metric metric;
    metric.name = "bandwidth_" + name;
    metric.unit = record::Unit::bytes_per_second;
    metric.better = record::Better::higher;
    const auto seconds = median(samples.seconds);
    if (seconds && *seconds > 0) metric.value = static_cast<double>(samples.bytes) / *seconds;
    all.push_back(std::move(metric));
  }
  return all;
}

std::optional<double> overlap_of(double together, const std::vector<double>& alone) {
  if (alone.size() < 2) return std::nullopt;
  const double sum = std::accumulate(alone.begin(), alone.end(), 0.0);
  const double hidden_at_most = sum - *std::max_element(alone.begin(), alone.end());
  if (hidden_at_most <= 0) return std::nullopt;
  return (sum - together) / hidden_at_most;
}

void assign_overlap(record::Record& record, const Concurrent& concurrent, const std::vector<record::Record>& records) {
  const record::Value* const value = record.point.find(concurrent.axis);
  if (!value || *value != record::Value(concurrent.whole) || !record.statistics.median) return;
  std::vector<double> alone;
  for (std::size_t i = 0; i < concurrent.parts.size(); ++i) {
    record::Point point = record.point;
    std::string device = record.device;
    point.set(concurrent.axis, concurrent.parts[i]);
    if (!concurrent.mirrored_by.empty() && i + 1 == concurrent.parts.size()) {
      device = record.point.text(concurrent.mirrored_by);
      point.set(concurrent.mirrored_by, record.device);
    }
    const auto found = std::find_if(records.begin(), records.end(), [&](const record::Record& other) {
      return other.benchmark == record.benchmark && other.device == device && other.point.to_text() == point.to_text();
    });
    if (found == records.end() || !found->statistics.median) return;
    alone.push_back(*found->statistics.median);
  }
  record::Metric metric;
  metric.name = "overlap";
  metric.unit = record::Unit::ratio;
  metric.better = record::Better::higher;
  metric.value = overlap_of(*record.statistics.median, alone);
  record.metrics.push_back(std::move(metric));
}

}  // namespace ridge::bench
