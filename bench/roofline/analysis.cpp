// Puts every kernel under its roof.
#include "bench/roofline/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/harness/lookup.hpp"
#include "bench/roofline/matrix_ceilings.hpp"
#include "bench/roofline/model.hpp"

namespace ridge::bench::roofline {
namespace {

using record::Better;
using record::Record;
using record::Unit;

constexpr double above_roof = 1.10;

bool of_family(const Record& record) {
  return record.benchmark.starts_with("roofline.");
}

record::Metric* flops_of(Record& record) {
  for (record::Metric& metric : record.metrics)
    if (metric.name == "flops" && metric.value) return &metric;
  return nullptr;
}

void add(Record& record, const char* name, double value, Unit unit, Better better) {
  record.metrics.push_back({name, value, unit, better, std::nullopt, std::nullopt});
}

// A peak meets the bandwidth of memory that reads and writes, as most kernels do.
void add_ridge_point(Record& record, const Ceilings& ceilings) {
  const auto flops = value_of(record, "flops");
  const auto bandwidth = ceilings.bandwidth("memory", Traffic::mixed);
  if (flops && bandwidth)
    add(record, "ridge_point", ridge_point(*flops, bandwidth->value), Unit::flop_per_byte, Better::neither);
}

std::string short_name(const Record& record) {
  return record.benchmark.substr(record.benchmark.find('.') + 1);
}

// A ceiling as "28.1 GB/s copy".
std::string figure_of(const std::optional<Ceiling>& ceiling) {
  if (!ceiling) return "";
  return fmt::format("{} {}", record::human(ceiling->value, Unit::bytes_per_second),
                     ceiling->source.substr(ceiling->source.find('.') + 1));
}

// "bf16 790 TFLOP/s wgmma, int8 …": the device's other peaks, which no kernel here is held against.
std::string other_peaks(std::span<const Record> records, const Record& peak) {
  std::vector<std::string> others;
  for (const MatrixCeiling& ceiling : matrix_ceilings(records, peak))
    others.push_back(fmt::format("{} {}", ceiling.dtype, ceiling.text()));
  return others.empty() ? "" : fmt::format("  dot products {}: {}", peak.device, fmt::join(others, ", "));
}

std::string ceilings_line(const Record& peak, const Ceilings& ceilings) {
  std::string line = fmt::format("roofline {} {}: {}", peak.device, peak.point.text("dtype"),
                                 record::human(*value_of(peak, "flops"), Unit::flop_per_second));
  std::vector<std::string> memory;
  for (const Traffic traffic : {Traffic::mixed, Traffic::reading})
    if (const auto text = figure_of(ceilings.bandwidth("memory", traffic)); !text.empty()) memory.push_back(text);
  if (!memory.empty()) line += fmt::format(", memory {}", fmt::join(memory, ", "));
  if (const auto ridge = value_of(peak, "ridge_point")) line += fmt::format(", ridge {:.3g} FLOP/B", *ridge);
  return line;
}

// "of its roof: triad 97 %, stencil 71 %, …", the ladder aside: it shows the roof itself.
std::string shares_line(std::span<const Record> records, const Record& peak) {
  std::vector<std::string> shares;
  for (const Record& record : records) {
    if (!of_family(record) || record.device != peak.device || record.benchmark == "roofline.ladder") continue;
    if (axis_text(record, "dtype") != axis_text(peak, "dtype")) continue;
    if (const auto share = share_of(record))
      shares.push_back(fmt::format("{} {:.0f} %", short_name(record), 100 * *share));
  }
  return shares.empty() ? "" : fmt::format("  of its roof: {}", fmt::join(shares, ", "));
}

}  // namespace

std::vector<record::Finding> conclude(std::span<Record> records) {
  record::Finding missing{"roofline-incomplete",
                          record::Severity::note,
                          "no roof: the run measured no ceiling of that type and level (peak, read and copy are they)",
                          {}};
  record::Finding above{"above-its-roof",
                        record::Severity::warning,
                        "faster than its roof by over 10 %: the ceiling was measured too low, or the machine changed "
                        "its speed in between",
                        {}};
  for (Record& record : records) {
    if (!of_family(record) || !record.statistics.median) continue;
    const Ceilings ceilings = Ceilings::of(records, record);
    if (record.benchmark == "roofline.peak") {
      add_ridge_point(record, ceilings);
      continue;
    }
    if (record.benchmark == "roofline.dot_peak") continue;  // a roof itself
    record::Metric* const flops = flops_of(record);
    if (flops == nullptr) continue;
    const double reached = *flops->value;
    const auto roof = roof_of(record, ceilings);
    if (const auto intensity = intensity_of(record.work); intensity && !record.point.find("intensity"))
      add(record, "intensity", *intensity, Unit::flop_per_byte, Better::neither);
    if (!roof) {
      missing.records.push_back(record::identity(record));
      continue;
    }
    for (record::Metric& metric : record.metrics)  // the roof is its limit, and says what the memory's share is
      if (metric.name == "bandwidth") metric.peak.reset(), metric.percent_of_peak.reset();
    record::Metric& limited = *flops_of(record);  // the list has grown
    limited.peak = record::Peak{roof->flops, roof->source};
    limited.percent_of_peak = 100 * reached / roof->flops;
    if (reached > above_roof * roof->flops) above.records.push_back(record::identity(record));
  }
  std::vector<record::Finding> findings;
  for (record::Finding& finding : std::array{std::move(missing), std::move(above)})
    if (!finding.records.empty()) {
      finding.message += fmt::format(" ({} record{})", finding.records.size(), finding.records.size() == 1 ? "" : "s");
      findings.push_back(std::move(finding));
    }
  return findings;
}

std::vector<std::string> key_figures(std::span<const Record> records) {
  std::vector<std::string> lines;
  std::set<std::string> others_of;
  for (const Record& record : records) {
    if (record.benchmark != "roofline.peak" || !value_of(record, "flops")) continue;
    lines.push_back(ceilings_line(record, Ceilings::of(records, record)));
    if (auto shares = shares_line(records, record); !shares.empty()) lines.push_back(std::move(shares));
    if (!others_of.insert(record.device + axis_text(record, "threads")).second) continue;  // once, not for each type
    if (auto others = other_peaks(records, record); !others.empty()) lines.push_back(std::move(others));
  }
  return lines;
}

std::shared_ptr<const Analysis> analysis() {
  static const auto one = std::make_shared<const Analysis>(Analysis{conclude, key_figures, draw});
  return one;
}

}  // namespace ridge::bench::roofline
