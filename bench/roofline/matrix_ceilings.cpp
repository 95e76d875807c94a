// The rates of matrix instructions and of a library's products, from records.
#include "bench/roofline/matrix_ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/harness/lookup.hpp"
#include "reports/record/unit.hpp"

namespace ridge::bench::roofline {
namespace {

using record::Record;

constexpr const char* library = "the library";

// A library's products of that type.
bool of_library(const Record& record, const std::string& dtype, bool whole) {
  const std::string engine = axis_text(record, "engine");
  if (!engine.empty() && engine != "library") return false;
  if (whole) return record.benchmark == "gemm.int8";
  return (record.benchmark == "gemm.float" || record.benchmark == "gemm.tf32" || record.benchmark == "gemm.fp8") &&
         axis_text(record, "dtype") == dtype;
}

double rate_of(const Record& record) {
  double best = 0;
  for (const char* name : {"flops", "tf32_flops", "ops"}) best = std::max(best, value_of(record, name).value_or(0));
  return best;
}

std::string text_of(const MatrixRate& rate, bool whole) {
  const std::string figure =
      record::human(rate.value, whole ? record::Unit::op_per_second : record::Unit::flop_per_second);
  if (rate.by.empty()) return figure;
  return figure + (rate.by == library ? " by " : " ") + rate.by;
}

}  // namespace

std::string MatrixCeiling::text() const {
  const auto instruction =
      std::find_if(rates.begin(), rates.end(), [](const auto& each) { return each.by != library; });
  if (instruction == rates.begin() || instruction == rates.end()) return text_of(rates.front(), whole);
  return fmt::format("{} ({})", text_of(rates.front(), whole), text_of(*instruction, whole));
}

std::vector<MatrixCeiling> matrix_ceilings(std::span<const Record> records, const Record& under) {
  std::vector<MatrixCeiling> all;
  for (const Record& record : records) {
    const bool whole = record.benchmark == "roofline.dot_ops";
    if ((!whole && record.benchmark != "roofline.dot_peak") || record.device != under.device ||
        axis_text(record, "threads") != axis_text(under, "threads"))
      continue;
    const std::string dtype = axis_text(record, "dtype");
    auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.dtype == dtype; });
    if (found == all.end()) found = all.insert(all.end(), {dtype, whole, {}});
    if (const double rate = rate_of(record); rate > 0) found->rates.push_back({rate, axis_text(record, "instruction")});
  }
  for (MatrixCeiling& ceiling : all) {
    double best = 0;
    for (const Record& record : records)
      if (record.device == under.device && of_library(record, ceiling.dtype, ceiling.whole))
        best = std::max(best, rate_of(record));
    if (best > 0) ceiling.rates.push_back({best, library});
    std::stable_sort(ceiling.rates.begin(), ceiling.rates.end(),
                     [](const auto& a, const auto& b) { return a.value > b.value; });
  }
  std::erase_if(all, [](const MatrixCeiling& each) { return each.rates.empty(); });
  return all;
}

}  // namespace ridge::bench::roofline
