// Every record for a terminal: side by side where it fits, stacked where it does not.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "reports/record/text.hpp"
#include "reports/record/unit.hpp"
#include "reports/sinks/cells.hpp"
#include "reports/sinks/pairs.hpp"
#include "reports/sinks/sinks.hpp"

namespace ridge::sinks {
namespace {

using record::printable;
using Records = std::vector<const record::Record*>;

std::vector<std::string> names_of(const Records& records, bool metrics) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto* record : records) {
    if (metrics)
      for (const auto& metric : record->metrics) add(metric.name);
    else
      for (const auto& [axis, value] : record->point.values()) add(axis);
  }
  return names;
}

std::string value_of(const record::Record& record, const std::string& axis) {
  const record::Value* value = record.point.find(axis);
  return value == nullptr ? "-" : axis_value(axis, *value);
}

struct Axes {
  std::vector<std::string> varying;
  std::string constant;  // "dtype=f64 threads=2"
};

Axes split_axes(const Records& records) {
  Axes axes;
  for (const std::string& axis : names_of(records, false)) {
    const std::string first = value_of(*records.front(), axis);
    const bool varies =
        std::any_of(records.begin(), records.end(), [&](const auto* r) { return value_of(*r, axis) != first; });
    if (varies)
      axes.varying.push_back(axis);
    else
      axes.constant += fmt::format("{}{}={}", axes.constant.empty() ? "" : " ", printable(axis), first);
  }
  return axes;
}

// Tails, who caused them, and what only a model is made of: columns for where there is room.
bool is_detail(const std::string& metric) {
  return metric.ends_with("_p95") || metric == "latest_rank" || metric == "join_rate";
}

// The records that have a number; `detail` and `spreads` are what gives way on a narrow terminal.
Grid grid_of(const Records& measured, const Axes& axes, PeakDetail detail, bool spreads) {
  std::vector<Column> columns;
  for (const std::string& axis : axes.varying) {
    Column column{printable(axis), false, {}};
    for (const auto* record : measured) column.cells.push_back(value_of(*record, axis));
    columns.push_back(std::move(column));
  }
  std::vector<Column> peaks;
  for (const std::string& name : names_of(measured, true)) {
    if (!spreads && is_detail(name)) continue;
    Column values{printable(name), false, {}};
    Column shares{fmt::format("{} of peak", printable(name)), true, {}};
    bool any = false;
    for (const auto* record : measured) {
      const record::Metric* metric = record->metric(name);
      values.cells.push_back(metric == nullptr ? "-" : figure(*metric));
      shares.cells.push_back(metric == nullptr ? "" : of_peak(*metric, detail));
      any = any || !shares.cells.back().empty();
    }
    columns.push_back(std::move(values));
    if (any) peaks.push_back(std::move(shares));
  }
  if (spreads) {
    Column column{"spread", false, {}};
    for (const auto* record : measured) column.cells.push_back(spread(record->statistics));
    columns.push_back(std::move(column));
  }
  if (peaks.size() == 1) peaks.front().heading = "of peak";
  std::move(peaks.begin(), peaks.end(), std::back_inserter(columns));
  return Grid(std::move(columns));
}

class Text {
 public:
  explicit Text(const Layout& layout) : layout_(layout) {}

  void line(const std::string& text, Paint colour = Paint::plain) { out += paint(text, colour, layout_.colour) + '\n'; }
  void wrapped(const std::string& text, Paint colour, std::size_t indent) {
    for (const std::string& each : wrap(text, layout_.columns, indent)) line(each, colour);
  }

  std::string out;

 private:
  Layout layout_;
};

void stack(const Records& measured, Text& text) {
  for (const auto* record : measured) {
    text.wrapped(axes(*record), Paint::bold, 2);
    for (const auto& metric : record->metrics) {
      const std::string share = of_peak(metric, PeakDetail::source);
      text.wrapped(fmt::format("  {} {}{}{}", printable(metric.name), figure(metric), share.empty() ? "" : ", ", share),
                   Paint::plain, 4);
    }
    if (record->statistics.relative_spread) text.line("  spread " + spread(record->statistics));
    if (record->status != record::Status::ok) text.wrapped("  " + verdict(*record), paint_of(record->status), 4);
  }
}

void side_by_side(const Records& measured, const Grid& grid, Text& text) {
  text.line(grid.heading(), Paint::bold);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    text.line(grid.row(i), paint_of(measured[i]->status));
    if (measured[i]->status != record::Status::ok)
      text.wrapped("  " + verdict(*measured[i]), paint_of(measured[i]->status), 4);
  }
}

void measured_part(const Records& measured, const Axes& axes, const Layout& layout, Text& text) {
  if (measured.empty()) return;
  constexpr std::pair<PeakDetail, bool> attempts[] = {
      {PeakDetail::source, true}, {PeakDetail::value, true}, {PeakDetail::percent, true}, {PeakDetail::percent, false}};
  for (const auto& [detail, spreads] : attempts) {
    const Grid grid = grid_of(measured, axes, detail, spreads);
    if (grid.width() <= layout.columns) return side_by_side(measured, grid, text);
  }
  stack(measured, text);
}

void peak_sources(const Records& measured, Text& text) {
  std::set<std::string> said;
  for (const auto* record : measured)
    for (const auto& metric : record->metrics) {
      if (!metric.peak) continue;
      const std::string line =
          fmt::format("  peak {}: {}", record::human(metric.peak->value, metric.unit), printable(metric.peak->source));
      if (said.insert(line).second) text.wrapped(line, Paint::dim, 4);
    }
}

void group_part(const Group& group, const Layout& layout, Text& text) {
  Records measured;
  std::copy_if(group.records.begin(), group.records.end(), std::back_inserter(measured),
               [](const auto* r) { return has_number(*r); });
  const Axes all = measured.empty() ? Axes{} : split_axes(measured);
  std::string title = fmt::format("{} on {}", printable(group.benchmark), printable(group.device));
  if (!all.constant.empty()) title += ": " + all.constant;
  text.wrapped(title, Paint::bold, 2);
  measured_part(measured, all, layout, text);
  peak_sources(measured, text);
  for (const auto* record : group.records)
    if (!has_number(*record))
      text.wrapped(fmt::format("  {}{}{}", axes(*record), record->point.empty() ? "" : " ", verdict(*record)),
                   paint_of(record->status), 4);
}

void pairs_part(const Pairs& pairs, Text& text) {
  for (const PairMatrix& matrix : pairs.matrices) {
    text.wrapped(fmt::format("{}: {}", printable(pairs.benchmark), matrix.title), Paint::bold, 2);
    const Grid grid = matrix.grid();
    text.line(grid.heading(), Paint::bold);
    for (std::size_t i = 0; i < matrix.devices.size(); ++i) text.line(grid.row(i));
    if (&matrix != &pairs.matrices.back()) text.line("");
  }
  for (const std::string& remark : pairs.remarks) text.wrapped("  " + remark, Paint::yellow, 4);
}

}  // namespace

std::string table(const record::Report& report, const Layout& layout) {
  Text text(layout);
  auto matrices = pairs(report);
  std::erase_if(matrices, [&](const Pairs& each) { return each.width() > layout.columns; });
  std::set<std::string> drawn;
  for (const Group& group : groups(report)) {
    const Pairs* const matrix = find_pairs(matrices, group.benchmark);
    if (matrix == nullptr)
      group_part(group, layout, text);
    else if (drawn.insert(group.benchmark).second)
      pairs_part(*matrix, text);
    else
      continue;
    text.line("");
  }
  text.wrapped(tally(report), Paint::plain, 2);
  for (const record::Finding& finding : report.findings)
    text.wrapped(finding_line(finding),
                 finding.severity == record::Severity::problem   ? Paint::red
                 : finding.severity == record::Severity::warning ? Paint::yellow
                                                                 : Paint::plain,
                 2);
  return std::move(text.out);
}

}  // namespace ridge::sinks
