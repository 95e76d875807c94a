// Times, bandwidths, and what is said about a speed-up.
#include "bench/fusion/prediction.hpp"

#include <fmt/format.h>

#include "bench/fusion/attention.hpp"
#include "bench/fusion/epilogue.hpp"
#include "bench/fusion/points.hpp"
#include "bench/harness/lookup.hpp"

namespace ridge::bench::fusion {
namespace {

using record::Better;
using record::Record;
using record::Unit;

// From here on a gap is worth a line.
constexpr double near_enough = 0.9;

void add(Record& record, const char* name, double value, Unit unit, Better better) {
  record.metrics.push_back({name, value, unit, better, std::nullopt, std::nullopt});
}

std::string share_text(const Record& record, const Predicted& roof) {
  return fmt::format("{:.0f} % of its roof ({})", 100 * roof.seconds() / *seconds_of(record),
                     roof.by_arithmetic > roof.by_bytes ? "arithmetic" : "memory");
}

}  // namespace

std::optional<double> seconds_of(const Record& record) {
  return record.benchmark.starts_with("fusion.") && record.status == record::Status::ok ? record.statistics.median
                                                                                        : std::nullopt;
}

bool alike(const Record& a, const Record& b) {
  return a.device == b.device && a.method.cache == b.method.cache && axis_text(a, "threads") == axis_text(b, "threads");
}

std::optional<double> memory_bandwidth(std::span<const Record> all, const Record& record) {
  const Record* const found = find(all, "fusion.chain", record.device, [&](const Record& other) {
    return seconds_of(other) && ops_of(other.point) == 1 && alike(other, record) && other.method.level == "memory";
  });
  return found == nullptr ? std::nullopt : value_of(*found, "bandwidth");
}

std::optional<double> counted_bytes(const Record& record) {
  if (value_of(record, "work_proven").value_or(0) == 0) return std::nullopt;
  return value_of(record, "counted_bytes_read").value_or(0) + value_of(record, "counted_bytes_written").value_or(0);
}

void add_prediction(Record& record, const std::optional<Predicted>& predicted) {
  if (!predicted) return;
  add(record, "predicted_time", predicted->seconds(), Unit::seconds, Better::neither);
  add(record, "roof_share", predicted->seconds() / *seconds_of(record), Unit::ratio, Better::neither);
}

std::optional<record::Finding> add_speedup(Record& fused, const std::optional<Predicted>& of_fused,
                                           const Record& unfused, const std::optional<Predicted>& of_unfused) {
  const double measured = *seconds_of(unfused) / *seconds_of(fused);
  add(fused, "speedup", measured, Unit::ratio, Better::higher);
  if (!of_fused || !of_unfused) return std::nullopt;
  const double predicted = of_unfused->seconds() / of_fused->seconds();
  add(fused, "predicted_speedup", predicted, Unit::ratio, Better::neither);
  if (measured >= near_enough * predicted) return std::nullopt;
  return record::Finding{
      "fusion-gap",
      record::Severity::note,
      fmt::format("fusion {}: {:.3g} times faster fused, {:.3g} predicted; fused {}, {} {}", name_of(fused), measured,
                  predicted, share_text(fused, *of_fused),
                  axis_text(unfused, "side") == "library" ? "library" : "passes", share_text(unfused, *of_unfused)),
      {}};
}

std::string name_of(const Record& record) {
  const std::string pair = record.benchmark.substr(record.benchmark.find('.') + 1);
  if (record.benchmark == attention_name)
    return fmt::format("{}attention of {}", axis_text(record, "causal") == "yes" ? "causal " : "",
                       axis_text(record, "sequence"));
  if (record.benchmark == epilogue_name)
    return fmt::format("product + {} of {}", axis_text(record, "epilogue"), axis_text(record, "m"));
  if (const std::string dropout = axis_text(record, "dropout"); !dropout.empty() && dropout != "0")
    return fmt::format("{} with dropout {}", pair, dropout);
  return record.point.find("ops") == nullptr ? pair : fmt::format("{} of {}", pair, ops_of(record.point));
}

}  // namespace ridge::bench::fusion
