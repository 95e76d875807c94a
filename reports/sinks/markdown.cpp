// Tables in Markdown, for job summaries and issues.
#include <fmt/format.h>

#include <iterator>

#include "reports/record/text.hpp"
#include "reports/sinks/cells.hpp"
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

}  // namespace

std::string markdown(const record::Report& report) {
  std::string out;
  for (const Group& group : groups(report)) {
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
