// Predictions from the unbroken pattern of the same run.
#include "bench/access/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/access/points.hpp"
#include "bench/access/transpose.hpp"
#include "bench/harness/lookup.hpp"

namespace ridge::bench::access {
namespace {

using record::Better;
using record::Record;
using record::Unit;

bool is_transpose(const Record& record) {
  return record.benchmark == "access.transpose";
}

// Of those that have a pattern.
bool of_family(const Record& record) {
  return record.benchmark.starts_with("access.") && !is_transpose(record);
}

bool on_gpu(const Record& record) {
  return record.device != "cpu";
}

std::optional<double> bandwidth_of(const Record& record) {
  const record::Metric* metric = record.metric("bandwidth");
  return metric == nullptr || record.status != record::Status::ok ? std::nullopt : metric->value;
}

double excess(const Record& record) {
  const Pattern pattern = pattern_of(record.point);
  return on_gpu(record) ? sector_excess(pattern, width_of(record.point)) : line_excess(pattern, width_of(record.point));
}

// Everything but the pattern alike: what the prediction starts from.
bool same_but_pattern(const Record& a, const Record& b) {
  return a.device == b.device && a.method.cache == b.method.cache && width_of(a.point) == width_of(b.point) &&
         axis_text(a, "op") == axis_text(b, "op") && axis_text(a, "size") == axis_text(b, "size") &&
         axis_text(a, "threads") == axis_text(b, "threads");
}

const Record* unbroken(std::span<const Record> records, const Record& like) {
  const auto found = std::find_if(records.begin(), records.end(), [&](const Record& other) {
    const Pattern pattern = of_family(other) ? pattern_of(other.point) : Pattern{1, 1, 0};
    return pattern.stride == 1 && pattern.offset == 0 && same_but_pattern(other, like) && bandwidth_of(other);
  });
  return found == records.end() ? nullptr : &*found;
}

void add(Record& record, const char* name, double value, Unit unit, Better better) {
  record.metrics.push_back({name, value, unit, better, std::nullopt, std::nullopt});
}

}  // namespace

std::vector<record::Finding> conclude(std::span<Record> records) {
  for (Record& record : records) {
    if (is_transpose(record) && on_gpu(record))
      if (const auto counts = predicted_counts(record.point)) {
        add(record, "predicted_sectors_per_request", counts->sectors_per_request, Unit::count, Better::neither);
        add(record, "predicted_bank_conflicts", static_cast<double>(counts->bank_conflicts), Unit::count,
            Better::neither);
      }
    if (!of_family(record) || record.status == record::Status::skipped) continue;
    const Pattern pattern = pattern_of(record.point);
    if (on_gpu(record))
      add(record, "predicted_sectors_per_request",
          sectors_per_request(pattern.stride, pattern.offset, width_of(record.point)), Unit::count, Better::neither);
    const auto bandwidth = bandwidth_of(record);
    const Record* const base = unbroken(records, record);
    if (!bandwidth || base == nullptr || (pattern.stride == 1 && pattern.offset == 0)) continue;
    const double predicted = *bandwidth_of(*base) * excess(*base) / excess(record);
    add(record, "predicted_bandwidth", predicted, Unit::bytes_per_second, Better::neither);
    add(record, "share_of_prediction", *bandwidth / predicted, Unit::ratio, Better::neither);
  }
  return {};
}

// "access cpu, 4-byte loads by stride: 1 18.2 GB/s, 2 50 %, 16 6 %": shares of the unbroken pattern's bandwidth.
std::vector<std::string> key_figures(std::span<const Record> records) {
  std::vector<std::string> lines;
  for (const Record& base : records) {
    if (base.benchmark != "access.stride" || unbroken(records, base) != &base) continue;
    std::vector<std::string> parts;
    for (const Record& record : records) {
      if (record.benchmark != base.benchmark || &record == &base || !same_but_pattern(base, record)) continue;
      if (const auto bandwidth = bandwidth_of(record))
        parts.push_back(
            fmt::format("{} {:.1f} %", pattern_of(record.point).stride, 100 * *bandwidth / *bandwidth_of(base)));
    }
    if (parts.empty()) continue;
    lines.push_back(fmt::format("access {}, {}-byte {}s by stride: 1 {}, {}", base.device, width_of(base.point),
                                base.point.text("op"), record::human(*bandwidth_of(base), Unit::bytes_per_second),
                                fmt::join(parts, ", ")));
  }
  return lines;
}

std::shared_ptr<const Analysis> analysis() {
  static const auto one = std::make_shared<const Analysis>(Analysis{conclude, key_figures, {}});
  return one;
}

}  // namespace ridge::bench::access
