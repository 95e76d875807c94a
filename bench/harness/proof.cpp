// Comparing stated work with counted work.
#include "bench/harness/proof.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridge::bench {
namespace {

constexpr double warp_lanes = 32;

void compare(Proof& proof, int& compared, const char* what, std::optional<std::int64_t> stated, std::int64_t besides,
             std::int64_t counted) {
  if (!stated) return;
  ++compared;
  if (*stated + besides == counted) return;
  proof.proven = false;
  proof.difference += fmt::format("{}{}: stated {}{}, counted {}", proof.difference.empty() ? "" : "; ", what, *stated,
                                  besides != 0 ? fmt::format(" and {} besides", besides) : "", counted);
}

record::Metric metric(const char* name, double value, record::Unit unit = record::Unit::count) {
  record::Metric m;
  m.name = name;
  m.value = value;
  m.unit = unit;
  m.better = record::Better::neither;
  return m;
}

}  // namespace

Proof prove(const record::Work& work, const std::vector<Besides>& besides, const device::Counted& counted) {
  Besides sum;
  for (const Besides& each : besides) {
    sum.bytes_read += each.bytes_read;
    sum.bytes_written += each.bytes_written;
    sum.operations += each.operations;
  }
  Proof proof{true, {}};
  int compared = 0;
  compare(proof, compared, "bytes read", work.bytes_read, sum.bytes_read, counted.bytes_read);
  compare(proof, compared, "bytes written", work.bytes_written, sum.bytes_written, counted.bytes_written);
  compare(proof, compared, "operations", work.operations, sum.operations, counted.flops);
  if (compared == 0) return {false, "the benchmark states no work that could be counted"};
  return proof;
}

device::Counted of_shared_memory(device::Counted counted) {
  counted.bytes_read = counted.shared_bytes_read;
  counted.bytes_written = counted.shared_bytes_written;
  return counted;
}

device::Counted with_operations(device::Counted counted, std::span<const MetricRule> metrics) {
  const bool as_ops = std::any_of(metrics.begin(), metrics.end(), [](const MetricRule& rule) {
    return rule.rate == Rate::operations && rule.unit == record::Unit::op_per_second;
  });
  if (as_ops && counted.atomics > 0) counted.flops = counted.atomics;
  return counted;
}

std::vector<record::Metric> counted_metrics(const Proof& proof, const device::Counted& counted) {
  const auto number = [](std::int64_t value) { return static_cast<double>(value); };
  std::vector<record::Metric> all{metric("work_proven", proof.proven ? 1 : 0),
                                  metric("counted_instructions", number(counted.instructions)),
                                  metric("counted_operations", number(counted.flops)),
                                  metric("counted_bytes_read", number(counted.bytes_read), record::Unit::bytes),
                                  metric("counted_bytes_written", number(counted.bytes_written), record::Unit::bytes)};
  if (counted.requests > 0)
    all.push_back(metric("sectors_per_request", number(counted.sectors) / number(counted.requests)));
  all.push_back(metric("bank_conflicts", number(counted.bank_conflicts)));
  all.push_back(metric("divergent_branches", number(counted.divergent_branches)));
  const auto efficiency = [&](const char* name, std::int64_t lanes, std::int64_t instructions) {
    if (instructions > 0)
      all.push_back(metric(name, number(lanes) / (warp_lanes * number(instructions)), record::Unit::ratio));
  };
  efficiency("warp_efficiency", counted.lanes, counted.instructions);
  efficiency("floating_warp_efficiency", counted.floating_lanes, counted.floating_instructions);
  if (counted.atomic_requests > 0) {
    all.push_back(metric("counted_atomics", number(counted.atomics)));
    all.push_back(metric("turns_per_atomic", number(counted.atomic_turns) / number(counted.atomic_requests)));
  }
  if (counted.launches > 0) all.push_back(metric("launches", number(counted.launches)));
  return all;
}

}  // namespace ridge::bench
