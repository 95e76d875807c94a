// The words and figures that all sinks share: an axis value, a metric, its share of a peak, a status with its reason.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/record/report.hpp"
#include "reports/sinks/grid.hpp"

namespace ridge::sinks {

// Records of one benchmark on one device, in the order of the report.
struct Group {
  std::string benchmark;  // as it stands in the record
  std::string device;
  std::vector<const record::Record*> records;
};
std::vector<Group> groups(const record::Report& report);

// How much is said about a peak: "93 % of 21.4 GB/s measured in this run", "93 % of 21.4 GB/s", "93 %".
enum class PeakDetail { source, value, percent };
std::string of_peak(const record::Metric& metric, PeakDetail detail);  // empty without a peak

std::string peak_kind(const record::Peak& peak);  // "measured in this run", "table"

std::string axis_value(std::string_view axis, const record::Value& value);  // sizes in bytes scaled, else as it is
std::string axes(const record::Record& record);                             // "size=4 KiB dtype=f64"
std::string figure(const record::Metric& metric);                           // "12.34 GB/s"; "-" where there is none
std::string spread(const record::Statistics& statistics);                   // "0.4 %"; "-" where it is unknown
std::string percent(double value);                                          // "93 %", "4.2 %"
std::string verdict(const record::Record& record);                          // "failed: out of memory"

bool has_number(const record::Record& record);  // measured, whether to be trusted or not
Paint paint_of(record::Status status);

// "6 cases in 42.5 s: 2 ok, 1 suspect, 3 failed".
std::string tally(const record::Report& report);
std::string finding_line(const record::Finding& finding);  // "warning: the CPU quota …"

}  // namespace ridge::sinks
