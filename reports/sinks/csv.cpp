// Comma-separated values for spreadsheets and data frames.
#include <algorithm>

#include "reports/record/text.hpp"
#include "reports/record/unit.hpp"
#include "reports/sinks/sinks.hpp"

namespace ridge::sinks {
namespace {

using record::to_text;
using record::Value;

class Row {
 public:
  explicit Row(std::string& out) : out_(out) {}
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;
  ~Row() { out_ += "\r\n"; }

  // Control characters are spelled out, so a row is always one line. A spreadsheet runs text that begins like a
  // formula; an apostrophe in front makes it text again.
  void text(std::string_view raw) {
    std::string cell = record::printable(raw);
    if (!cell.empty() && std::string_view("=+-@").find(cell.front()) != std::string_view::npos) cell.insert(0, 1, '\'');
    separate();
    if (cell.find_first_of(",\"") == std::string::npos) {
      out_ += cell;
      return;
    }
    out_ += '"';
    for (const char c : cell) {
      if (c == '"') out_ += '"';
      out_ += c;
    }
    out_ += '"';
  }
  void number(double value) {
    separate();
    out_ += to_text(Value{value});
  }
  void number(std::int64_t value) {
    separate();
    out_ += to_text(Value{value});
  }
  template <class T>
  void number(const std::optional<T>& value) {
    if (value)
      number(*value);
    else
      separate();
  }
  void value(const Value* any) {
    if (any == nullptr) return separate();
    if (const auto* string = std::get_if<std::string>(any)) return text(*string);
    separate();
    out_ += to_text(*any);
  }

 private:
  void separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }

  std::string& out_;
  bool first_ = true;
};

std::vector<std::string> all_axes(const record::Report& report) {
  std::vector<std::string> axes;
  for (const auto& record : report.records)
    for (const auto& [axis, value] : record.point.values())
      if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
  return axes;
}

void add_row(const record::Record& record, const record::Metric* metric, const std::vector<std::string>& axes,
             std::string& out) {
  Row row(out);
  row.text(record.benchmark);
  row.number(record.workload_version);
  row.text(record.device);
  for (const std::string& axis : axes) row.value(record.point.find(axis));
  row.text(to_string(record.status));
  row.text(record.reason);
  row.text(metric == nullptr ? "" : metric->name);
  row.number(metric == nullptr ? std::nullopt : metric->value);
  row.text(metric == nullptr ? "" : symbol(metric->unit));
  row.text(metric == nullptr ? "" : to_string(metric->better));
  const bool peak = metric != nullptr && metric->peak;
  row.number(peak ? std::optional(metric->peak->value) : std::nullopt);
  row.text(peak ? metric->peak->source : "");
  row.number(metric == nullptr ? std::nullopt : metric->percent_of_peak);
  row.number(record.statistics.count);
  row.number(record.statistics.median);
  row.number(record.statistics.mean);
  row.number(record.statistics.best);
  row.number(record.statistics.worst);
  row.number(record.statistics.stddev);
  row.number(record.statistics.iqr);
  row.number(record.work.bytes_read);
  row.number(record.work.bytes_written);
  row.number(record.work.operations);
  row.text(to_string(record.verification.status));
  row.text(record.reproduce);
}

}  // namespace

std::string csv(const record::Report& report) {
  std::string out;
  const auto axes = all_axes(report);
  {
    Row heading(out);
    for (const char* name : {"benchmark", "workload_version", "device"}) heading.text(name);
    for (const std::string& axis : axes) heading.text("point." + axis);
    for (const char* name :
         {"status",      "reason",          "metric",     "value",         "unit",       "better",       "peak",
          "peak_source", "percent_of_peak", "samples",    "median_s",      "mean_s",     "best_s",       "worst_s",
          "stddev_s",    "iqr_s",           "bytes_read", "bytes_written", "operations", "verification", "reproduce"})
      heading.text(name);
  }
  for (const auto& record : report.records) {
    if (record.metrics.empty()) add_row(record, nullptr, axes, out);
    for (const auto& metric : record.metrics) add_row(record, &metric, axes, out);
  }
  return out;
}

}  // namespace ridge::sinks
