// Reports as text: a table for a terminal, a summary of one screen, CSV and Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/record/report.hpp"

namespace ridge::sinks {

// What the reader of the text has before them. Every text here ends in a newline, holds no control character but that,
// and no escape sequence but those of `colour`: names and reasons are data.
struct Layout {
  std::size_t columns = 80;
  bool colour = false;
};

// Every record: one table for each benchmark and device, axes that do not vary in its heading, reasons in full. Lines
// are at most `columns` wide from 40 on; what does not fit side by side is stacked. Pairs of devices are matrices
// instead (pairs.hpp) where these fit.
std::string table(const record::Report& report, const Layout& layout);

// At most 24 lines: the machine, `key_figures` (the lines of each family of benchmarks; where there is no room for all,
// the first of each before any second one), one line for each benchmark with its share of its limit, what went wrong,
// findings, and `where`: the place the report was written to, or why it was not.
std::string summary(const record::Report& report, const Layout& layout,
                    const std::vector<std::vector<std::string>>& key_figures, const std::string& where);

// One row for each metric of each record (one row without a metric for a record that has none), RFC 4180 with CRLF;
// text that a spreadsheet would take for a formula begins with an apostrophe. Numbers in SI units, never localised.
std::string csv(const record::Report& report);

// Tables and matrices in GitHub's dialect, for a job summary.
std::string markdown(const record::Report& report);

}  // namespace ridge::sinks
