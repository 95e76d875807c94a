// Predictions from the unbroken pattern of the same run.
#include "bench/access/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/access/points.hpp"
#include "bench/access/transpose.hpp"
#include "bench/harness/lookup.hpp"
#include "kernels/access/banks.hpp"

namespace ridge::bench::access {
namespace {

using record::Better;
using record::Record;
using record::Unit;

bool on_gpu(const Record& record) {
  return record.device != "cpu";
}

std::optional<double> bandwidth_of(const Record& record) {
  const record::Metric* metric = record.metric("bandwidth");
  return metric == nullptr || record.status != record::Status::ok ? std::nullopt : metric->value;
}

// What arithmetic says of a record's pattern. Bytes moved for each byte asked for, of memory or of banks, relative to
// the unbroken pattern's; sectors of a request and bank conflicts where the device has them.
struct Predicted {
  std::optional<double> excess;
  std::optional<double> sectors = {};
  std::optional<double> wavefronts = {};
  std::optional<std::int64_t> conflicts = {};
  bool unbroken = false;  // the pattern that others of its kind are predicted from
  // Of a pattern that loads half of its bytes and stores the other half: `excess` of the one and this of the other.
  std::optional<double> store_excess = {};
};

Predicted strided_prediction(const Record& record) {
  const Pattern pattern = pattern_of(record.point);
  const std::int64_t width = width_of(record.point);
  const bool unbroken = pattern.stride == 1 && pattern.offset == 0;
  if (!on_gpu(record)) return {line_excess(pattern, width), {}, {}, {}, unbroken};
  return {sector_excess(pattern, width), sectors_per_request(pattern.stride, pattern.offset, width), {}, {}, unbroken};
}

Predicted random_prediction(const Record& record) {
  const std::int64_t width = width_of(record.point);
  const std::int64_t elements = elements_of(record.point);
  if (!on_gpu(record)) return {random_line_excess(width)};
  return {random_sector_excess(elements, width), (4 + random_sectors_per_request(elements, width)) / 2};
}

// Where all of each structure is used, its lines and sectors are used whole, if not at once.
Predicted layout_prediction(const Record& record) {
  const auto fields = fields_of(record.point);
  const Pattern one{0, fields.used == 1 ? fields.per_item : 1, fields.items};
  if (!on_gpu(record)) return {line_excess(one, 4)};
  return {sector_excess(one, 4), sectors_per_request(fields)};
}

Predicted banks_prediction(const Record& record) {
  const int wavefronts = ridge::access::wavefronts_per_request(record.point.integer("stride"));
  Predicted predicted{wavefronts, {}, wavefronts, {}, record.point.integer("stride") == 1};
  if (record.work.bytes_read) predicted.conflicts = *record.work.bytes_read / 128 * (wavefronts - 1);
  return predicted;
}

// On a CPU every line is used whole, by the row or the tile that it belongs to, as long as a cache keeps it so long.
Predicted transpose_prediction(const Record& record) {
  if (!on_gpu(record)) return {1, {}, {}, {}, false, 1};
  const auto counts = predicted_counts(record.point);
  if (!counts) return {};
  const double whole = sectors_per_request(1, 0, 4);
  return {counts->load_sectors / whole, counts->sectors_per_request(), {}, counts->bank_conflicts, false,
          counts->store_sectors / whole};
}

// One element of each line in every order: always the same lines.
Predicted pages_prediction(const Record& record) {
  return {1, {}, {}, {}, record.point.integer("stride") == 1 && record.point.text("pages") == "huge"};
}

Predicted predict(const Record& record) {
  if (record.benchmark == "access.random") return random_prediction(record);
  if (record.benchmark == "access.layout") return layout_prediction(record);
  if (record.benchmark == "access.banks") return banks_prediction(record);
  if (record.benchmark == "access.transpose") return transpose_prediction(record);
  if (record.benchmark == "access.pages") return pages_prediction(record);
  return strided_prediction(record);
}

bool of_family(const Record& record) {
  return record.benchmark.starts_with("access.");
}

// What is predicted from itself alone: banks are not memory, and a line's one element is not an array.
std::string_view kind_of(const Record& record) {
  const bool alone = record.benchmark == "access.banks" || record.benchmark == "access.pages";
  return alone ? std::string_view(record.benchmark) : std::string_view();
}

bool same_size(const Record& a, const Record& b) {
  return axis_text(a, "size") == axis_text(b, "size");
}
bool same_level(const Record& a, const Record& b) {
  return a.method.level && a.method.level == b.method.level;
}

// Everything but the pattern, the size and whether it stores alike.
bool same_but_pattern(const Record& a, const Record& b) {
  return a.device == b.device && kind_of(a) == kind_of(b) && a.method.cache == b.method.cache &&
         width_of(a.point) == width_of(b.point) && axis_text(a, "threads") == axis_text(b, "threads");
}

bool has_pattern(const Record& record) {
  return of_family(record) && record.benchmark != "access.transpose";
}

// What the prediction starts from: loads, or stores (`op`), of the same size, or else of the same level, for several
// buffers share what one alone would take there.
const Record* unbroken(std::span<const Record> records, const Record& like, const std::string& op) {
  for (const auto same : {same_size, same_level})
    for (const Record& other : records)
      if (has_pattern(other) && predict(other).unbroken && same_but_pattern(other, like) &&
          axis_text(other, "op") == op && same(other, like) && bandwidth_of(other))
        return &other;
  return nullptr;
}
const Record* unbroken(std::span<const Record> records, const Record& like) {
  return unbroken(records, like, axis_text(like, "op"));
}

// Bytes a second of the pattern that the prediction starts from, were all that it moves asked for.
double moved(const Record& base) {
  return *bandwidth_of(base) * *predict(base).excess;
}

std::optional<double> predicted_bandwidth(std::span<const Record> records, const Record& record,
                                          const Predicted& predicted) {
  if (!predicted.excess || predicted.unbroken) return std::nullopt;
  if (!predicted.store_excess) {
    const Record* const base = unbroken(records, record);
    return base == nullptr ? std::nullopt : std::optional(moved(*base) / *predicted.excess);
  }
  const Record* const loads = unbroken(records, record, "load");
  const Record* const stores = unbroken(records, record, "store");
  if (loads == nullptr || stores == nullptr) return std::nullopt;
  return 2 / (*predicted.excess / moved(*loads) + *predicted.store_excess / moved(*stores));
}

// How many times as long the same takes on small pages.
std::optional<double> against_huge_pages(std::span<const Record> records, const Record& record) {
  if (record.benchmark != "access.pages" || record.point.text("pages") != "small") return std::nullopt;
  const Record* const huge = find(records, record.benchmark, record.device, [&](const Record& other) {
    return other.point.text("pages") == "huge" && axis_text(other, "stride") == axis_text(record, "stride") &&
           axis_text(other, "op") == axis_text(record, "op") && same_but_pattern(other, record) &&
           same_size(other, record) && bandwidth_of(other);
  });
  return huge == nullptr ? std::nullopt : std::optional(*bandwidth_of(*huge) / *bandwidth_of(record));
}

void add(Record& record, const char* name, double value, Unit unit, Better better) {
  record.metrics.push_back({name, value, unit, better, std::nullopt, std::nullopt});
}

}  // namespace

std::vector<record::Finding> conclude(std::span<Record> records) {
  for (Record& record : records) {
    if (!of_family(record) || record.status == record::Status::skipped) continue;
    const Predicted predicted = predict(record);
    const auto told = [&record](const char* name, std::optional<double> value, Unit unit) {
      if (value) add(record, name, *value, unit, Better::neither);
    };
    told("predicted_sectors_per_request", predicted.sectors, Unit::count);
    told("predicted_wavefronts_per_request", predicted.wavefronts, Unit::count);
    told("predicted_bank_conflicts", predicted.conflicts, Unit::count);
    const auto bandwidth = bandwidth_of(record);
    if (!bandwidth) continue;
    told("against_huge_pages", against_huge_pages(records, record), Unit::ratio);
    const auto expected = predicted_bandwidth(records, record, predicted);
    if (!expected) continue;
    told("predicted_bandwidth", expected, Unit::bytes_per_second);
    told("share_of_prediction", *bandwidth / *expected, Unit::ratio);
  }
  return {};
}

// How a record stands in the line of its base: its stride, or that it is random; empty where it has no place there.
std::string name_of(const Record& record) {
  if (record.benchmark == "access.stride") return fmt::format("{}", pattern_of(record.point).stride);
  return record.benchmark == "access.random" ? "random" : "";
}

// Of a hundred, to two digits.
std::string percent(double share) {
  return share >= 0.1 ? fmt::format("{:.0f}", 100 * share) : fmt::format("{:.2g}", 100 * share);
}

// "access cpu load 4 B: 18.2 GB/s; stride 2 51 % (50), 16 6.1 (6.2), random 3 (12)": shares of the unbroken pattern's
// bandwidth, and what was predicted of it.
std::vector<std::string> key_figures(std::span<const Record> records) {
  std::vector<std::string> lines;
  for (const Record& base : records) {
    if (base.benchmark != "access.stride" || unbroken(records, base) != &base) continue;
    std::vector<std::string> parts;
    for (const Record& record : records) {
      if (!has_pattern(record) || &record == &base || name_of(record).empty() || unbroken(records, record) != &base)
        continue;
      const auto bandwidth = bandwidth_of(record);
      if (!bandwidth) continue;
      const double whole = *bandwidth_of(base);
      std::string part =
          fmt::format("{} {}{}", name_of(record), percent(*bandwidth / whole), parts.empty() ? " %" : "");
      if (const auto predicted = value_of(record, "predicted_bandwidth"))
        part += fmt::format(" ({})", percent(*predicted / whole));
      parts.push_back(std::move(part));
    }
    if (parts.empty()) continue;
    lines.push_back(fmt::format("access {} {} {} B: {}; stride {}", base.device, base.point.text("op"),
                                width_of(base.point), record::human(*bandwidth_of(base), Unit::bytes_per_second),
                                fmt::join(parts, ", ")));
  }
  return lines;
}

std::shared_ptr<const Analysis> analysis() {
  static const auto one = std::make_shared<const Analysis>(Analysis{conclude, key_figures, {}});
  return one;
}

}  // namespace ridge::bench::access
