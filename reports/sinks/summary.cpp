// One screen: what was measured, how near to its limit, what went wrong, where the report is.
#include <fmt/format.h>

#include <algorithm>

#include "reports/record/text.hpp"
#include "reports/record/unit.hpp"
#include "reports/sinks/cells.hpp"
#include "reports/sinks/sinks.hpp"

namespace ridge::sinks {
namespace {

using record::printable;

constexpr std::size_t most_lines = 24;
constexpr std::size_t fewest_rows = 4;  // of benchmarks, with their heading and the line that says how many there are
constexpr std::size_t most_findings = 3;
constexpr std::size_t most_problems = 4;
constexpr std::size_t around = 6;  // lines of the machine, the tally, the place, and empty ones

std::string machine_line(const record::Report& report) {
  const auto& identity = report.machine.identity;
  std::string text = fmt::format("ridge {}", printable(report.tool.version));
  if (report.tool.build_type != "Release")
    text += fmt::format(" ({} build: slower than what is released)", printable(report.tool.build_type));
  text += fmt::format(": {}, {} core{}", printable(identity.cpu_model.value_or("unknown CPU")), identity.cores_used,
                      identity.cores_used == 1 ? "" : "s");
  if (identity.memory_class) text += ", " + printable(*identity.memory_class);
  for (const auto& gpu : identity.gpus) text += ", " + printable(gpu.model);
  return text;
}

// The case that stands for its benchmark: of the outermost memory level, and there the best.
const record::Record* headline(const Group& group) {
  const auto level = [](const record::Record& r) {
    return std::pair{r.method.level == "memory", r.method.working_set.value_or(0)};
  };
  const auto better = [&](const record::Record& a, const record::Record& b) {
    if (level(a) != level(b)) return level(a) > level(b);
    const auto& x = a.metrics.front();
    const auto* y = b.metric(x.name);
    if (y == nullptr || !x.value || !y->value) return x.value && (y == nullptr || !y->value);
    return x.better == record::Better::lower ? *x.value < *y->value : *x.value > *y->value;
  };
  const record::Record* best = nullptr;
  for (const auto* record : group.records)
    if (has_number(*record) && !record->metrics.empty() && (best == nullptr || better(*record, *best))) best = record;
  return best;
}

std::string where_measured(const record::Record& record) {
  if (record.method.level) return printable(*record.method.level);
  const record::Value* size = record.point.find("size");
  return size == nullptr ? "" : axis_value("size", *size);
}

// The one kind of source that all limits share, to be said once; empty where they differ or none is known.
std::string common_source(const std::vector<const record::Record*>& rows) {
  std::string common;
  for (const auto* row : rows) {
    const record::Metric& metric = row->metrics.front();
    if (!metric.peak) continue;
    const std::string kind = peak_kind(*metric.peak);
    if (!common.empty() && kind != common) return "";
    common = kind;
  }
  return common;
}

Grid grid_of(const std::vector<const record::Record*>& rows, PeakDetail detail, std::size_t columns) {
  const std::string source = common_source(rows);
  const bool once = !source.empty() && detail == PeakDetail::source;
  Column names{"benchmark", true, {}};
  Column devices{"on", true, {}};
  Column places{"level", true, {}};
  Column values{"best", false, {}};
  Column shares{once ? "of its limit, " + source : "of its limit", true, {}};
  for (const auto* row : rows) {
    const record::Metric& metric = row->metrics.front();
    const std::string share = of_peak(metric, once ? PeakDetail::value : detail);
    const bool suspect = row->status == record::Status::suspect;
    names.cells.push_back(record::cut(printable(row->benchmark), columns / 3));
    devices.cells.push_back(record::cut(printable(row->device), 8));
    places.cells.push_back(record::cut(where_measured(*row), 10));
    values.cells.push_back(figure(metric));
    shares.cells.push_back((share.empty() ? "limit unknown" : share) + (suspect ? " (suspect)" : ""));
  }
  const bool one_device = std::all_of(devices.cells.begin(), devices.cells.end(),
                                      [&](const std::string& d) { return d == devices.cells.front(); });
  if (one_device) return Grid({names, places, values, shares});
  return Grid({names, devices, places, values, shares});
}

// Of a case with many axes those are shown that leave room for what is wrong with it, and a third of the line at least.
std::string problem_line(const record::Record& record, std::size_t width) {
  const std::string name = printable(record.benchmark), wrong = verdict(record);
  const std::size_t others = record::columns(name) + record::columns(wrong) + 3;
  const std::size_t room = std::max(width / 3, width - std::min(width, others));
  return fmt::format("{} {}: {}", name, record::cut(axes(record), room), wrong);
}

std::vector<std::string> problems(const record::Report& report, std::size_t width) {
  std::vector<std::string> lines;
  for (const auto status :
       {record::Status::failed, record::Status::suspect, record::Status::not_run, record::Status::skipped})
    for (const auto& record : report.records)
      if (record.status == status) lines.push_back(problem_line(record, width));
  return lines;
}

// At most `most` lines, the last of which says how many are not shown.
void add_some(const std::vector<std::string>& from, std::size_t most, const char* what, std::vector<std::string>& to) {
  const std::size_t shown = from.size() <= most ? from.size() : most - 1;
  to.insert(to.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < from.size()) to.push_back(fmt::format("and {} more {}", from.size() - shown, what));
}

std::vector<std::string> rows_of(const record::Report& report, const Layout& layout, std::size_t most) {
  std::vector<const record::Record*> chosen;
  for (const Group& group : groups(report))
    if (const auto* record = headline(group)) chosen.push_back(record);
  if (chosen.empty()) return {};
  Grid grid = grid_of(chosen, PeakDetail::source, layout.columns);
  if (grid.width() > layout.columns) grid = grid_of(chosen, PeakDetail::value, layout.columns);
  if (grid.width() > layout.columns) grid = grid_of(chosen, PeakDetail::percent, layout.columns);
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < chosen.size(); ++i) rows.push_back(grid.row(i));
  std::vector<std::string> lines{grid.heading()};
  add_some(rows, most - 1, "benchmarks, in the report", lines);
  return lines;
}

// What went wrong and what was found, below an empty line.
std::vector<std::string> tail_of(const record::Report& report, std::size_t width, std::size_t problems_shown,
                                 std::size_t findings_shown) {
  std::vector<std::string> findings;
  for (const auto severity : {record::Severity::problem, record::Severity::warning, record::Severity::note})
    for (const auto& finding : report.findings)
      if (finding.severity == severity) findings.push_back(finding_line(finding));
  std::vector<std::string> tail;
  add_some(problems(report, width), problems_shown, "without a good number, in the report", tail);
  add_some(findings, findings_shown, "findings, in the report", tail);
  if (!tail.empty()) tail.insert(tail.begin(), "");
  return tail;
}

// At most `most` lines: of each family the first before any second one, as they stand; the last says what is not shown.
void add_figures(const std::vector<std::vector<std::string>>& families, std::size_t most,
                 std::vector<std::string>& to) {
  std::size_t all = 0;
  for (const auto& family : families) all += family.size();
  std::size_t left = all <= most ? all : most - 1;
  const std::size_t hidden = all - left;
  std::vector<std::size_t> shown(families.size());
  for (std::size_t line = 0; left > 0; ++line)
    for (std::size_t i = 0; i < families.size() && left > 0; ++i)
      if (line < families[i].size()) ++shown[i], --left;
  for (std::size_t i = 0; i < families.size(); ++i)
    for (std::size_t line = 0; line < shown[i]; ++line) to.push_back(printable(families[i][line]));
  if (hidden > 0) to.push_back(fmt::format("and {} more figures, in the report", hidden));
}

}  // namespace

std::string summary(const record::Report& report, const Layout& layout,
                    const std::vector<std::vector<std::string>>& key_figures, const std::string& where) {
  const auto room = [](const std::vector<std::string>& tail) {
    return most_lines - around - fewest_rows - tail.size();
  };
  std::vector<std::string> tail;
  std::size_t problems_shown = most_problems, findings_shown = most_findings;
  for (;; --(problems_shown >= findings_shown ? problems_shown : findings_shown)) {
    tail = tail_of(report, layout.columns, problems_shown, findings_shown);
    if (room(tail) > key_figures.size() || problems_shown + findings_shown == 2) break;
  }

  std::vector<std::string> lines{machine_line(report), tally(report), ""};
  if (!key_figures.empty()) {
    add_figures(key_figures, room(tail), lines);
    lines.emplace_back();
  }
  const std::size_t heading = lines.size();
  const std::size_t fixed = lines.size() + tail.size() + 2;
  const auto rows = rows_of(report, layout, most_lines - fixed);
  lines.insert(lines.end(), rows.begin(), rows.end());
  lines.insert(lines.end(), tail.begin(), tail.end());
  lines.insert(lines.end(), {"", "report: " + printable(where)});

  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // The path of the report is for copying: it alone is never cut.
    const std::string line = i + 1 == lines.size() ? lines[i] : record::cut(lines[i], layout.columns);
    text += paint(line, i == 0 || (i == heading && !rows.empty()) ? Paint::bold : Paint::plain, layout.colour) + '\n';
  }
  return text;
}

}  // namespace ridge::sinks
