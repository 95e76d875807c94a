// Gathering pairs into matrices.
#include "reports/sinks/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reports/record/scale.hpp"
#include "reports/record/text.hpp"
#include "reports/sinks/cells.hpp"

namespace ridge::sinks {
namespace {

using record::printable;
using record::Record;
using Records = std::vector<const Record*>;

constexpr std::size_t most_devices = 64;
constexpr std::string_view other = "peer";

const std::string* peer_of(const Record& record) {
  const record::Value* const value = record.point.find(other);
  return value == nullptr ? nullptr : std::get_if<std::string>(value);
}

// "cuda:2" before "cuda:10".
struct ByNumber {
  bool operator()(const std::string& a, const std::string& b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};
using Names = std::set<std::string, ByNumber>;

std::string axes_but_peer(const Record& record) {
  std::string text;
  for (const auto& [axis, value] : record.point.values())
    if (axis != other)
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", printable(axis), axis_value(axis, value));
  return text;
}

std::string cell_of(const Record& record, const std::string& metric, const record::Scale& scale) {
  if (!has_number(record)) {
    std::string word(record::to_string(record.status));
    std::replace(word.begin(), word.end(), '_', ' ');
    return word;
  }
  const record::Metric* const found = record.metric(metric);
  if (found != nullptr && found->value)
    return record::number(*found->value, scale) + (record.status == record::Status::suspect ? "?" : "");
  return record.verification.status == record::Check::passed ? "verified" : "-";
}

PairMatrix matrix_of(const Records& records, const Names& devices, const record::Metric* metric) {
  PairMatrix matrix;
  matrix.title = axes_but_peer(*records.front());
  const std::string name = metric == nullptr ? "" : metric->name;
  record::Scale scale;
  double most = 0;
  for (const auto* record : records) {
    const record::Metric* const found = record->metric(name);
    if (found == nullptr || !found->value || std::abs(*found->value) < most) continue;
    most = std::abs(*found->value);
    scale = record::scale_of(*found->value, found->unit);
  }
  if (most > 0) matrix.title += ": " + printable(name) + (scale.unit.empty() ? "" : " in " + scale.unit);
  std::map<std::string, std::size_t> index;
  for (const std::string& device : devices) {
    index[device] = matrix.devices.size();
    matrix.devices.push_back(printable(device));
  }
  matrix.cells.assign(devices.size(), std::vector<std::string>(devices.size()));
  for (std::size_t i = 0; i < devices.size(); ++i) matrix.cells[i][i] = "-";
  for (const auto* record : records)
    matrix.cells[index[record->device]][index[*peer_of(*record)]] = cell_of(*record, name, scale);
  return matrix;
}

// The first metric, and ratios that some record has.
std::vector<const record::Metric*> shown_metrics(const Records& records) {
  std::vector<const record::Metric*> shown;
  for (const auto* record : records)
    for (const record::Metric& metric : record->metrics) {
      const bool wanted = shown.empty() || (metric.unit == record::Unit::ratio && metric.value);
      const bool known = std::any_of(shown.begin(), shown.end(), [&](const auto* s) { return s->name == metric.name; });
      if (wanted && !known) shown.push_back(&metric);
    }
  if (shown.empty()) shown.push_back(nullptr);
  return shown;
}

std::vector<std::string> remarks_on(const Records& records) {
  std::vector<std::string> remarks;
  std::size_t skipped = 0;
  for (const auto* record : records) {
    if (record->status == record::Status::ok) continue;
    const bool unmeasured = record->status == record::Status::skipped || record->status == record::Status::not_run;
    if (unmeasured && ++skipped > 1) continue;
    remarks.push_back(fmt::format("{} to {}, {}: {}", printable(record->device), printable(*peer_of(*record)),
                                  axes_but_peer(*record), verdict(*record)));
  }
  if (skipped > 1) remarks.push_back(fmt::format("and {} more were not measured", skipped - 1));
  return remarks;
}

}  // namespace

Grid PairMatrix::grid() const {
  std::vector<Column> columns{{"from \\ to", true, devices}};
  for (std::size_t to = 0; to < devices.size(); ++to) {
    Column column{devices[to], false, {}};
    for (const auto& row : cells) column.cells.push_back(row[to]);
    columns.push_back(std::move(column));
  }
  return Grid(std::move(columns));
}

std::size_t Pairs::width() const {
  std::size_t most = 0;
  for (const PairMatrix& matrix : matrices) most = std::max(most, matrix.grid().width());
  return most;
}

std::vector<Pairs> pairs(const record::Report& report) {
  std::vector<std::pair<std::string, Records>> benchmarks;
  for (const Record& record : report.records) {
    if (peer_of(record) == nullptr) continue;
    const auto found = std::find_if(benchmarks.begin(), benchmarks.end(),
                                    [&](const auto& each) { return each.first == record.benchmark; });
    if (found == benchmarks.end())
      benchmarks.push_back({record.benchmark, {&record}});
    else
      found->second.push_back(&record);
  }
  std::vector<Pairs> all;
  for (const auto& [benchmark, records] : benchmarks) {
    Names from;
    Names devices;
    std::vector<std::pair<std::string, Records>> points;
    for (const auto* record : records) {
      from.insert(record->device);
      devices.insert({record->device, *peer_of(*record)});
      const std::string point = axes_but_peer(*record);
      const auto found =
          std::find_if(points.begin(), points.end(), [&](const auto& each) { return each.first == point; });
      if (found == points.end())
        points.push_back({point, {record}});
      else
        found->second.push_back(record);
    }
    const bool any = std::any_of(records.begin(), records.end(), [](const auto* r) { return has_number(*r); });
    if (!any || from.size() < 2 || devices.size() > most_devices) continue;
    Pairs pairs{benchmark, {}, remarks_on(records)};
    for (const auto& [point, of_point] : points)
      for (const record::Metric* metric : shown_metrics(of_point))
        pairs.matrices.push_back(matrix_of(of_point, devices, metric));
    all.push_back(std::move(pairs));
  }
  return all;
}

const Pairs* find_pairs(const std::vector<Pairs>& all, const std::string& benchmark) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Pairs& p) { return p.benchmark == benchmark; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace ridge::sinks
