// Adds predictions to the family's records, and says what it found.
#include "bench/hierarchy/conclusions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/harness/lookup.hpp"
#include "bench/hierarchy/prepare.hpp"
#include "kernels/chase/chase.hpp"
#include "reports/record/unit.hpp"

namespace ridge::bench::hierarchy {
namespace {

using record::Finding;
using record::Record;
using record::Severity;
using record::Unit;
using Records = std::span<const Record>;

constexpr auto line = static_cast<double>(chase::line_bytes);
constexpr double shared_bytes_per_cycle = 128;  // of a multiprocessor

void add(Record& record, const char* name, double value, Unit unit) {
  record::Metric metric;
  metric.name = name;
  metric.value = value;
  metric.unit = unit;
  record.metrics.push_back(std::move(metric));
}

bool same(const Record& a, const Record& b, std::initializer_list<std::string_view> axes) {
  return std::all_of(axes.begin(), axes.end(),
                     [&](std::string_view name) { return axis_text(a, name) == axis_text(b, name); });
}

// What one chain costs where these chains ran: of the same benchmark, else of the staircase.
std::optional<double> latency_alone(Records all, const Record& record) {
  const auto measured = [&](const Record& other) {
    return same(record, other, {"size", "pages"}) && axis_text(other, "chains").size() <= 1 &&
           (axis_text(other, "chains").empty() || axis_text(other, "chains") == "1") && value_of(other, "latency");
  };
  for (const char* benchmark : {"hierarchy.parallelism", "hierarchy.latency"})
    if (const Record* alone = find(all, benchmark, record.device, measured)) return value_of(*alone, "latency");
  return std::nullopt;
}

// What one thread reads in order from there.
std::optional<double> ceiling(Records all, const Record& record) {
  const Record* const found = find(all, "hierarchy.bandwidth", record.device, [&](const Record& other) {
    const std::string threads = axis_text(other, "threads");
    return same(record, other, {"size"}) && (threads.empty() || threads == "1") && value_of(other, "bandwidth");
  });
  return found == nullptr ? std::nullopt : value_of(*found, "bandwidth");
}

// Of all chains, or of all threads' loads in one round.
std::optional<double> stated_in_flight(const Record& record) {
  if (const record::Value* const chains = record.point.find("chains"))
    return static_cast<double>(std::get<std::int64_t>(*chains)) * line;
  if (record.benchmark != "hierarchy.in_flight" || !record.work.bytes_read) return std::nullopt;
  return static_cast<double>(*record.work.bytes_read) / static_cast<double>(in_flight_rounds);
}

void predict(Records all, Record& record) {
  const auto alone = latency_alone(all, record);
  const auto measured = value_of(record, "bandwidth");
  const auto in_flight = stated_in_flight(record);
  if (!alone || !measured || !in_flight) return;
  const double predicted = predicted_bandwidth(*in_flight, *alone, ceiling(all, record));
  add(record, "predicted_bandwidth", predicted, Unit::bytes_per_second);
  add(record, "share_of_prediction", *measured / predicted, Unit::ratio);
}

// What must be under way all the time to sustain a bandwidth: a question to the latency of the same lines.
void tell_in_flight(Records all, Record& record) {
  const auto bandwidth = value_of(record, "bandwidth");
  const std::string pages = main_pages(all, record.device);
  const Record* const chase = find(all, "hierarchy.latency", record.device, [&](const Record& other) {
    return same(record, other, {"size"}) && axis_text(other, "pages") == pages && value_of(other, "latency");
  });
  if (bandwidth && chase != nullptr)
    add(record, "bytes_in_flight", *bandwidth * *value_of(*chase, "latency"), Unit::bytes);
}

Finding note(std::string code, std::string message) {
  return {std::move(code), Severity::note, std::move(message), {}};
}

void tell_levels(Records all, const std::string& device, std::vector<Finding>& findings) {
  const Staircase found = find_levels(latency_curve(all, device, main_pages(all, device)));
  std::string levels;
  for (const FoundLevel& level : found.levels) levels += (levels.empty() ? "" : ", ") + text_of(level);
  if (!levels.empty())
    findings.push_back(note("levels-found", fmt::format("{}: levels in the latency curve: {}", device, levels)));
  for (const std::string& remark : found.remarks) findings.push_back(note("levels-told", device + ": " + remark));
}

// A set smaller than this may lie beside whole huge pages.
constexpr std::int64_t fits_huge_pages = std::int64_t{4} << 20;

// Of the largest set that asked for huge pages.
void tell_pages(Records all, const std::string& device, std::vector<Finding>& findings) {
  const Record* largest = nullptr;
  for (const Record& record : all)
    if (record.device == device && axis_text(record, "pages") == "huge" && value_of(record, "latency") &&
        record.benchmark.starts_with("hierarchy.") && record.method.page_size &&
        record.method.working_set.value_or(0) >= fits_huge_pages &&
        (largest == nullptr || *record.method.working_set > *largest->method.working_set))
      largest = &record;
  constexpr std::int64_t largest_base_page = 64 << 10;
  if (largest == nullptr || *largest->method.page_size > largest_base_page) return;
  findings.push_back(
      {"no-huge-pages",
       Severity::warning,
       fmt::format("huge pages were asked for and not given: the lines lie on pages of {}, and latencies "
                   "beyond the reach of the TLB hold page walks",
                   record::human_bytes(static_cast<double>(*largest->method.page_size))),
       {record::identity(*largest)}});
}

// How much longer a load takes on small pages than on huge ones of the same lines.
void hold_against_huge(Records all, Record& record) {
  const auto latency = value_of(record, "latency");
  if (!latency || axis_text(record, "pages") != "small") return;
  const auto huge = [&](const Record& other) {
    return same(record, other, {"size"}) && axis_text(other, "pages") == "huge" && value_of(other, "latency");
  };
  for (const char* benchmark : {"hierarchy.pages", "hierarchy.latency"})
    if (const Record* other = find(all, benchmark, record.device, huge))
      return add(record, "against_huge_pages", *latency / *value_of(*other, "latency"), Unit::ratio);
}

// What the banks of all multiprocessors give at the clock that was probed: 32 of 4 bytes each a cycle.
void hold_against_banks(Record& record) {
  const auto measured = value_of(record, "bandwidth");
  if (!measured || !record.conditions.clock_hz || !record.work.items) return;
  const double predicted =
      static_cast<double>(*record.work.items) * shared_bytes_per_cycle * *record.conditions.clock_hz;
  add(record, "predicted_bandwidth", predicted, Unit::bytes_per_second);
  add(record, "share_of_prediction", *measured / predicted, Unit::ratio);
}

std::vector<Finding> conclude(std::span<Record> all) {
  for (Record& record : all) {
    const auto latency = value_of(record, "latency");
    const bool chase = record.benchmark == "hierarchy.latency" || record.benchmark == "hierarchy.pages";
    if ((chase || record.benchmark == "hierarchy.shared_latency") && latency && record.conditions.clock_hz)
      add(record, "latency_cycles", *latency * *record.conditions.clock_hz, Unit::count);
    if (record.benchmark == "hierarchy.shared_bandwidth") hold_against_banks(record);
    if (chase) hold_against_huge(all, record);
    if (record.benchmark == "hierarchy.parallelism" || record.benchmark == "hierarchy.in_flight") predict(all, record);
    if (record.benchmark == "hierarchy.bandwidth") tell_in_flight(all, record);
  }
  std::vector<Finding> findings;
  for (const std::string& device : devices_of(all)) {
    tell_levels(all, device, findings);
    tell_pages(all, device, findings);
  }
  return findings;
}

// The most chains that the prediction is meant for: beyond, line buffers end on some cores.
std::string parallel_figure(Records all, const std::string& device) {
  const Record* const sixteen = find(all, "hierarchy.parallelism", device, [](const Record& record) {
    return axis_text(record, "chains") == "16" && value_of(record, "predicted_bandwidth");
  });
  if (sixteen == nullptr) return {};
  return fmt::format("16 chains {}, Little's law {}",
                     record::human(*value_of(*sixteen, "bandwidth"), Unit::bytes_per_second),
                     record::human(*value_of(*sixteen, "predicted_bandwidth"), Unit::bytes_per_second));
}

// Of the most threads, at the largest size.
std::string concurrency_figure(Records all, const std::string& device) {
  const Record* best = nullptr;
  for (const Record& record : all)
    if (is(record, "hierarchy.bandwidth", device) && value_of(record, "bytes_in_flight") &&
        (best == nullptr || *value_of(record, "bandwidth") > *value_of(*best, "bandwidth")) &&
        record.method.level == "memory")
      best = &record;
  if (best == nullptr) return {};
  return fmt::format("{}: {:.0f} lines in flight", record::human(*value_of(*best, "bandwidth"), Unit::bytes_per_second),
                     *value_of(*best, "bytes_in_flight") / line);
}

// At the largest size that was measured on both.
std::string pages_figure(Records all, const std::string& device) {
  const Record* small = nullptr;
  for (const Record& record : all)
    if (record.device == device && value_of(record, "against_huge_pages") &&
        (small == nullptr || record.method.working_set > small->method.working_set))
      small = &record;
  if (small == nullptr || !small->method.page_size) return {};
  return fmt::format("{} on pages of {}: a load takes {}, {:.2f} times that on huge ones",
                     record::human_bytes(static_cast<double>(small->method.working_set.value_or(0))),
                     record::human_bytes(static_cast<double>(*small->method.page_size)),
                     record::human(*value_of(*small, "latency"), Unit::seconds),
                     *value_of(*small, "against_huge_pages"));
}

std::vector<std::string> key_figures(Records all) {
  std::vector<std::string> lines;
  const auto devices = devices_of(all);
  for (const std::string& device : devices) {
    const std::string prefix = devices.size() > 1 ? device + ": " : "";
    const auto tell = [&](const std::vector<std::string>& figures) {
      std::string text;
      for (const std::string& figure : figures)
        if (!figure.empty()) text += (text.empty() ? "" : "; ") + figure;
      if (!text.empty()) lines.push_back(prefix + text);
    };
    std::string levels;
    for (const FoundLevel& level : find_levels(latency_curve(all, device, main_pages(all, device))).levels)
      levels += (levels.empty() ? "" : ", ") + text_of(level);
    tell({levels});
    tell({parallel_figure(all, device), concurrency_figure(all, device)});
    tell({pages_figure(all, device)});
  }
  return lines;
}

}  // namespace

double predicted_bandwidth(double bytes_in_flight, double latency, std::optional<double> ceiling) {
  const double by_latency = bytes_in_flight / latency;
  return ceiling ? std::min(by_latency, *ceiling) : by_latency;
}

std::vector<CurvePoint> latency_curve(Records records, const std::string& device, const std::string& pages) {
  std::vector<CurvePoint> curve;
  for (const Record& record : records) {
    const auto latency = value_of(record, "latency");
    const bool chase = is(record, "hierarchy.latency", device) || is(record, "hierarchy.pages", device);
    if (!chase || axis_text(record, "pages") != pages || !latency) continue;
    curve.push_back({record.method.working_set.value_or(0), *latency, record.method.level});
  }
  std::erase_if(curve, [](const CurvePoint& point) { return point.bytes < 1; });
  std::sort(curve.begin(), curve.end(), [](const CurvePoint& a, const CurvePoint& b) { return a.bytes < b.bytes; });
  curve.erase(std::unique(curve.begin(), curve.end(),
                          [](const CurvePoint& a, const CurvePoint& b) { return a.bytes == b.bytes; }),
              curve.end());
  return curve;
}

std::string main_pages(Records records, const std::string& device) {
  std::string best;
  for (const Record& record : records)
    if (is(record, "hierarchy.latency", device) && value_of(record, "latency"))
      if (const std::string pages = axis_text(record, "pages"); best.empty() || pages == "huge") best = pages;
  return best;
}

std::vector<std::string> devices_of(Records records) {
  std::vector<std::string> devices;
  for (const Record& record : records)
    if (record.benchmark.starts_with("hierarchy.") &&
        std::find(devices.begin(), devices.end(), record.device) == devices.end())
      devices.push_back(record.device);
  return devices;
}

std::string text_of(const FoundLevel& level) {
  const std::string time = fmt::format("{} {}", level.name, record::human(level.seconds, Unit::seconds));
  return level.open ? time : fmt::format("{} up to {}", time, record::human_bytes(static_cast<double>(level.up_to)));
}

std::shared_ptr<const Analysis> make_analysis() {
  return std::make_shared<const Analysis>(Analysis{conclude, key_figures, draw_staircase});
}

}  // namespace ridge::bench::hierarchy
