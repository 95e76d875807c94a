// Times, bandwidths, and what is said about a speed-up.
#include "bench/fusion/prediction.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/fusion/attention.hpp"
#include "bench/fusion/epilogue.hpp"
#include "bench/fusion/points.hpp"
#include "bench/harness/lookup.hpp"

namespace ridge::bench::fusion {
namespace {

using record::Better;
using record::Record;
using record::Unit;

// From here on a gap is worth a line, and a term is close to the other.
constexpr double near_enough = 0.9;
constexpr double comparable = 0.5;

void add(Record& record, const char* name, double value, Unit unit, Better better) {
  record.metrics.push_back({name, value, unit, better, std::nullopt, std::nullopt});
}

bool by_arithmetic(const Predicted& roof) {
  return roof.by_arithmetic > roof.by_bytes;
}

std::string share_text(double share, const Predicted& roof) {
  return fmt::format("{:.0f} % of its roof ({})", 100 * share, by_arithmetic(roof) ? "arithmetic" : "memory");
}

// Why a side is slower than its roof.
std::string behind(const Predicted& roof) {
  const double longer = std::max(roof.by_bytes, roof.by_arithmetic);
  const double shorter = std::min(roof.by_bytes, roof.by_arithmetic);
  if (roof.by_arithmetic > 0 && shorter > comparable * longer)
    return fmt::format("arithmetic takes {:.2g} of what the bytes take, and they do not fully overlap",
                       roof.by_arithmetic / roof.by_bytes);
  if (by_arithmetic(roof)) return "arithmetic takes longer on data from memory than in a cache";
  return "bytes move more slowly than those of one operation on one array";
}

// Why a side is faster than that.
std::string ahead(const Predicted& roof) {
  if (by_arithmetic(roof)) return "arithmetic takes less here than at the size in a cache";
  return "bytes move faster than those of one operation on one array, or a cache keeps some of them";
}

}  // namespace

std::optional<double> seconds_of(const Record& record) {
  return record.benchmark.starts_with("fusion.") && record.status == record::Status::ok ? record.statistics.median
                                                                                        : std::nullopt;
}

std::optional<double> warm_seconds_of(const Record& record) {
  return record.method.cache == "cold" ? value_of(record, "warm_time") : seconds_of(record);
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

double stated_bytes(const Record& record) {
  return static_cast<double>(record.work.bytes_read.value_or(0) + record.work.bytes_written.value_or(0));
}

void add_told(Record& record, const char* name, double value, Unit unit) {
  add(record, name, value, unit, Better::neither);
}

std::optional<double> counted_bytes(const Record& record) {
  if (value_of(record, "work_proven").value_or(0) == 0) return std::nullopt;
  return value_of(record, "counted_bytes_read").value_or(0) + value_of(record, "counted_bytes_written").value_or(0);
}

void add_prediction(Record& record, const std::optional<Predicted>& predicted) {
  if (!predicted) return;
  add_told(record, "bytes_time", predicted->besides + predicted->by_bytes, Unit::seconds);
  if (predicted->by_arithmetic > 0) add_told(record, "arithmetic_time", predicted->by_arithmetic, Unit::seconds);
  add_told(record, "predicted_time", predicted->seconds(), Unit::seconds);
  add_told(record, "roof_share", predicted->seconds() / *seconds_of(record), Unit::ratio);
}

std::optional<record::Finding> add_speedup(Record& fused, const std::optional<Predicted>& of_fused,
                                           const Record& unfused, const std::optional<Predicted>& of_unfused) {
  const double measured = *seconds_of(unfused) / *seconds_of(fused);
  add(fused, "speedup", measured, Unit::ratio, Better::higher);
  if (!of_fused || !of_unfused) return std::nullopt;
  const double predicted = of_unfused->seconds() / of_fused->seconds();
  add_told(fused, "predicted_speedup", predicted, Unit::ratio);
  const double share = measured / predicted;
  add_told(fused, "share_of_prediction", share, Unit::ratio);
  if (share >= near_enough && share <= 1 / near_enough) return std::nullopt;
  // What the share is made of: share = of_roof / passes_of_roof.
  const double of_roof = of_fused->seconds() / *seconds_of(fused);
  const double passes_of_roof = of_unfused->seconds() / *seconds_of(unfused);
  const char* const other = axis_text(unfused, "side") == "library" ? "library" : "passes";
  const bool of_fused_side = std::abs(std::log(of_roof)) >= std::abs(std::log(passes_of_roof));
  const double cause = of_fused_side ? of_roof : passes_of_roof;
  const Predicted& roof = of_fused_side ? *of_fused : *of_unfused;
  return record::Finding{
      "fusion-gap",
      record::Severity::note,
      fmt::format("fusion {}: {:.3g} times faster fused, {:.3g} predicted, {:.0f} % of it; fused {}, {} {}; {}: {}",
                  name_of(fused), measured, predicted, 100 * share, share_text(of_roof, *of_fused), other,
                  share_text(passes_of_roof, *of_unfused), of_fused_side ? "fused" : other,
                  cause < 1 ? behind(roof) : ahead(roof)),
      {}};
}

std::string name_of(const Record& record) {
  const std::string pair = record.benchmark.substr(record.benchmark.find('.') + 1);
  if (record.benchmark == attention_name)
    return fmt::format("{}attention of {} by {}", axis_text(record, "causal") == "yes" ? "causal " : "",
                       axis_text(record, "sequence"), axis_text(record, "head"));
  if (record.benchmark == epilogue_name)
    return fmt::format("product + {} of {}", axis_text(record, "epilogue"), axis_text(record, "m"));
  if (const std::string dropout = axis_text(record, "dropout"); !dropout.empty() && dropout != "0")
    return fmt::format("{} with dropout {}", pair, dropout);
  return record.point.find("ops") == nullptr ? pair : fmt::format("{} of {}", pair, ops_of(record.point));
}

}  // namespace ridge::bench::fusion
