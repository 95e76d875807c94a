// How single facts are put to a person.
#include "reports/sinks/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reports/record/text.hpp"
#include "reports/record/unit.hpp"

namespace ridge::sinks {

using record::printable;
using record::Status;

std::vector<Group> groups(const record::Report& report) {
  std::vector<Group> all;
  for (const record::Record& record : report.records) {
    // Searched from the end: records of one group nearly always stand together.
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Group& g) {
      return g.benchmark == record.benchmark && g.device == record.device;
    });
    if (found != all.rend())
      found->records.push_back(&record);
    else
      all.push_back({record.benchmark, record.device, {&record}});
  }
  return all;
}

std::string percent(double value) {
  return value < 9.95 ? fmt::format("{:.1f} %", value) : fmt::format("{:.0f} %", value);
}

std::string peak_kind(const record::Peak& peak) {
  return printable(std::string_view(peak.source).substr(0, peak.source.find(':')));
}

std::string of_peak(const record::Metric& metric, PeakDetail detail) {
  if (!metric.peak || !metric.percent_of_peak) return "";
  std::string text = percent(*metric.percent_of_peak);
  if (detail == PeakDetail::percent) return text;
  text += " of " + record::human(metric.peak->value, metric.unit);
  if (detail == PeakDetail::value) return text;
  const std::string kind = peak_kind(*metric.peak);
  return text + (kind.find(' ') == std::string::npos ? " by " : " ") + kind;
}

std::string axis_value(std::string_view axis, const record::Value& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (axis == "size" && integer != nullptr) return record::human_bytes(static_cast<double>(*integer));
  return printable(record::to_text(value));
}

std::string axes(const record::Record& record) {
  std::string text;
  for (const auto& [axis, value] : record.point.values())
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", printable(axis), axis_value(axis, value));
  return text;
}

std::string figure(const record::Metric& metric) {
  return metric.value ? record::human(*metric.value, metric.unit) : "-";
}

std::string spread(const record::Statistics& statistics) {
  return statistics.relative_spread ? percent(100 * *statistics.relative_spread) : "-";
}

std::string verdict(const record::Record& record) {
  std::string text(to_string(record.status));
  std::replace(text.begin(), text.end(), '_', ' ');
  return record.reason.empty() ? text : text + ": " + printable(record.reason);
}

bool has_number(const record::Record& record) {
  return record.status == Status::ok || record.status == Status::suspect;
}

Paint paint_of(Status status) {
  switch (status) {
    case Status::failed:
      return Paint::red;
    case Status::suspect:
    case Status::not_run:
      return Paint::yellow;
    case Status::skipped:
      return Paint::dim;
    case Status::ok:
      break;
  }
  return Paint::plain;
}

std::string tally(const record::Report& report) {
  constexpr std::array all{Status::ok, Status::suspect, Status::failed, Status::skipped, Status::not_run};
  const auto total = report.records.size();
  std::string text = fmt::format("{} case{} in {}", total, total == 1 ? "" : "s",
                                 record::human(report.duration, record::Unit::seconds));
  const char* separator = ": ";
  for (const Status status : all) {
    const auto count = std::count_if(report.records.begin(), report.records.end(),
                                     [&](const record::Record& r) { return r.status == status; });
    if (count == 0) continue;
    std::string name(to_string(status));
    std::replace(name.begin(), name.end(), '_', ' ');
    text += fmt::format("{}{} {}", separator, count, name);
    separator = ", ";
  }
  return text + (report.interrupted ? " (interrupted)" : "");
}

std::string finding_line(const record::Finding& finding) {
  return fmt::format("{}: {}", to_string(finding.severity), printable(finding.message));
}

}  // namespace ridge::sinks
