// Predictions from the same kernel with one path, measured in the same run.
#include "bench/divergence/analysis.hpp"

#include <fmt/format.h>

#include "bench/divergence/points.hpp"
#include "bench/harness/lookup.hpp"

namespace ridge::bench::divergence {
namespace {

using record::Better;
using record::Record;
using record::Unit;
using ridge::divergence::Kind;

bool of_family(const Record& record) {
  return record.benchmark.starts_with("divergence.");
}

double predicted_efficiency(const Record& record) {
  const Kind kind = record.benchmark == "divergence.loop" ? Kind::loop : Kind::branch;
  return ridge::divergence::warp_efficiency(task_of(kind, record.point));
}

const Record* one_path(std::span<const Record> records, const Record& like) {
  return find(records, like.benchmark, like.device, [&](const Record& other) {
    return other.point.integer("paths") == 1 && axis_text(other, "by") == axis_text(like, "by") &&
           other.method.cache == like.method.cache && value_of(other, "flops");
  });
}

void add(Record& record, const char* name, double value, Unit unit) {
  record.metrics.push_back({name, value, unit, Better::neither, std::nullopt, std::nullopt});
}

// "1 100 %, 2 50.0 %, …": of that kernel and device, split by lane; empty where `share` is of none.
template <class Share>
std::string by_paths(std::span<const Record> records, const Record& like, const Share& share) {
  std::vector<std::string> parts;
  for (const Record& record : records)
    if (is(record, like.benchmark, like.device) && record.point.text("by") == "lane")
      if (const auto part = share(record))
        parts.push_back(fmt::format("{} {:.3g} %", record.point.integer("paths"), 100 * *part));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::vector<record::Finding> conclude(std::span<Record> records) {
  for (Record& record : records) {
    if (!of_family(record) || record.status == record::Status::skipped) continue;
    const double efficiency = predicted_efficiency(record);
    add(record, "predicted_floating_warp_efficiency", efficiency, Unit::ratio);
    const auto flops = value_of(record, "flops");
    const Record* const base = one_path(records, record);
    if (!flops || base == nullptr || base == &record) continue;
    const double predicted = *value_of(*base, "flops") * efficiency;
    add(record, "predicted_flops", predicted, Unit::flop_per_second);
    add(record, "share_of_prediction", *flops / predicted, Unit::ratio);
  }
  return {};
}

// "divergence.branch cuda:0: 1 path 30 TFLOP/s; by lane 2 50 %, …", and where nothing has a time what was counted:
// "divergence.branch ptx:0, counted warp efficiency by paths: 1 100 %, 2 50 %, …".
std::vector<std::string> key_figures(std::span<const Record> records) {
  std::vector<std::string> lines;
  for (const Record& record : records) {
    if (!of_family(record) || record.point.integer("paths") != 1 || record.point.text("by") != "lane") continue;
    if (const auto base = value_of(record, "flops")) {
      const auto shares = by_paths(records, record, [&](const Record& other) -> std::optional<double> {
        const auto flops = value_of(other, "flops");
        if (!flops || &other == &record) return std::nullopt;
        return *flops / *base;
      });
      lines.push_back(fmt::format("{} {}: 1 path {}{}{}", record.benchmark, record.device,
                                  record::human(*base, Unit::flop_per_second), shares.empty() ? "" : "; ", shares));
    } else if (const auto counted = by_paths(
                   records, record, [](const Record& other) { return value_of(other, "floating_warp_efficiency"); });
               !counted.empty()) {
      lines.push_back(
          fmt::format("{} {}, counted warp efficiency by paths: {}", record.benchmark, record.device, counted));
    }
  }
  return lines;
}

std::shared_ptr<const Analysis> analysis() {
  static const auto one = std::make_shared<const Analysis>(Analysis{conclude, key_figures, {}});
  return one;
}

}  // namespace ridge::bench::divergence
