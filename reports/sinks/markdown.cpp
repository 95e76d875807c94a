// Tables in Markdown, for job summaries and issues.
#include <fmt/format.h>

#include <iterator>
#include <set>

#include "reports/record/text.hpp"
#include "reports/sinks/cells.hpp"
#include "reports/sinks/pairs.hpp"
#include "reports/sinks/sinks.hpp"

namespace ridge::sinks {
namespace {

// Text as text: nothing in it starts markup, a link, a mention, HTML or the next cell.
std::string escaped(std::string_view raw) {
  std::string out;
  for (const char c : record::printable(raw)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '@')
      out += "&#64;";
    else {
      if (std::string_view("\\`*_{}[]()#!|~").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

void add_row(const record::Record& record, std::string& out) {
  std::string figures;
  std::string shares;
  for (const auto& metric : record.metrics) {
    figures += fmt::format("{}{} {}", figures.empty() ? "" : ", ", escaped(metric.name), escaped(figure(metric)));
    const std::string share = of_peak(metric, PeakDetail::source);
    if (!share.empty()) shares += (shares.empty() ? "" : ", ") + escaped(share);
  }
  fmt::format_to(std::back_inserter(out), "| {} | {} | {} | {} | {} |\n", escaped(axes(record)), figures,
                 record.statistics.relative_spread ? spread(record.statistics) : "", shares, escaped(verdict(record)));
}

void add_pairs(const Pairs& pairs, std::string& out) {
  out += fmt::format("### {}\n\n", escaped(pairs.benchmark));
  for (const PairMatrix& matrix : pairs.matrices) {
    out += escaped(matrix.title) + "\n\n| from \\ to |";
    for (const std::string& device : matrix.devices) out += fmt::format(" {} |", escaped(device));
    out += "\n| :-- |";
    for (std::size_t i = 0; i < matrix.devices.size(); ++i) out += " --: |";
    out += '\n';
    for (std::size_t i = 0; i < matrix.devices.size(); ++i) {
      out += fmt::format("| {} |", escaped(matrix.devices[i]));
      for (const std::string& cell : matrix.cells[i]) out += fmt::format(" {} |", escaped(cell));
      out += '\n';
    }
    out += '\n';
  }
  for (const std::string& remark : pairs.remarks) out += fmt::format("- {}\n", escaped(remark));
  if (!pairs.remarks.empty()) out += '\n';
}

}  // namespace

std::string markdown(const record::Report& report) {
  std::string out;
  const auto matrices = pairs(report);
  std::set<std::string> drawn;
  for (const Group& group : groups(report)) {
    if (const Pairs* const matrix = find_pairs(matrices, group.benchmark)) {
      if (drawn.insert(group.benchmark).second) add_pairs(*matrix, out);
      continue;
    }
    out += fmt::format("### {} on {}\n\n", escaped(group.benchmark), escaped(group.device));
    out += "| case | measured | spread | of peak | status |\n| :-- | --: | --: | :-- | :-- |\n";
    for (const auto* record : group.records) add_row(*record, out);
    out += '\n';
  }
  out += escaped(tally(report)) + "\n";
  if (!report.findings.empty()) out += '\n';
  for (const auto& finding : report.findings) out += fmt::format("- {}\n", escaped(finding_line(finding)));
  return out;
}

}  // namespace ridge::sinks
