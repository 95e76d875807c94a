// A few lines for the whole family.
#include "bench/precision/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/harness/lookup.hpp"

namespace ridge::bench::precision {
namespace {

using record::Record;

std::int64_t longest(std::span<const Record> records) {
  std::int64_t most = 0;
  for (const Record& record : records)
    if (record.benchmark == "precision.product" && value_of(record, "error"))
      most = std::max(most, record.point.integer("k"));
  return most;
}

// "precision, error of products at k = 16384, sums in f32 (in the type itself): f16 2.9e-04 (1.9e-02), …"
std::string products(std::span<const Record> records) {
  const std::int64_t k = longest(records);
  std::vector<std::string> parts;
  for (const Record& record : records) {
    if (record.benchmark != "precision.product" || record.point.integer("k") != k) continue;
    if (axis_text(record, "accumulate") != "f32" || axis_text(record, "data") != "normal") continue;
    const auto error = value_of(record, "error");
    if (!error) continue;
    std::string part = fmt::format("{} {:.1e}", axis_text(record, "dtype"), *error);
    const Record* const same = find(records, record.benchmark, record.device, [&](const Record& other) {
      return axis_text(other, "accumulate") == "same" && axis_text(other, "dtype") == axis_text(record, "dtype") &&
             axis_text(other, "data") == "normal" && other.point.integer("k") == k;
    });
    if (same != nullptr)
      if (const auto worse = value_of(*same, "error")) part += fmt::format(" ({:.1e})", *worse);
    parts.push_back(std::move(part));
  }
  if (parts.empty()) return "";
  return fmt::format("precision, error of products at k = {}, sums in f32 (in the type): {}", k,
                     fmt::join(parts, ", "));
}

std::string ones(std::span<const Record> records) {
  std::vector<std::string> parts;
  for (const Record& record : records)
    if (record.benchmark == "precision.ones")
      if (const auto stop = value_of(record, "stops_at"))
        parts.push_back(fmt::format("{} {:.0f}", axis_text(record, "dtype"), *stop));
  return parts.empty() ? "" : fmt::format("precision, a sum of ones stops at: {}", fmt::join(parts, ", "));
}

}  // namespace

std::vector<record::Finding> conclude(std::span<Record> records) {
  record::Finding overflow{"numbers-overflowed",
                           record::Severity::note,
                           "numbers left the range of their type: where it has infinities, errors are absent",
                           {}};
  for (const Record& record : records)
    if (record.benchmark == "precision.product" && value_of(record, "overflows").value_or(0) > 0)
      overflow.records.push_back(record::identity(record));
  if (overflow.records.empty()) return {};
  overflow.message += fmt::format(" ({} record{})", overflow.records.size(), overflow.records.size() == 1 ? "" : "s");
  return {std::move(overflow)};
}

std::vector<std::string> key_figures(std::span<const Record> records) {
  std::vector<std::string> lines;
  for (std::string& line : std::vector{products(records), ones(records)})
    if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::shared_ptr<const Analysis> analysis() {
  static const auto one = std::make_shared<const Analysis>(Analysis{conclude, key_figures, {}});
  return one;
}

}  // namespace ridge::bench::precision
