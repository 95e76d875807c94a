// From a report to what stdout carries, and where a report is kept for later commands.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/measure.hpp"
#include "reports/record/report.hpp"

namespace ridge::cmd {

struct Presentation {
  std::string format = "table";
  View view = View::table;
  std::string stored_at;                              // where the report is, for a person to find; may be empty
  std::vector<std::vector<std::string>> key_figures;  // the lines of each family that has some, for the summary
  std::string picture;                                // after the table
};

std::string present(const record::Report& report, const Presentation& presentation);

// Keeps the report among the last ones of this user, for `ridge explain`; failing to loses nothing. Answers where a
// person finds it: at --json's path if given, else at the kept one's, else why there is none.
std::string keep_as_last(const record::Report& report, const std::string& command, const MeasureOptions& options);

// Before anything is measured or asked: UsageError when stdout is closed, or when one of the `files` of `option` cannot
// be written. Empty and - are stdout.
void require_outputs(std::string_view option, std::span<const std::string> files);

// What this binary is, and the time as reports spell it: RFC 3339, UTC, whole seconds.
record::Tool this_tool();
std::string utc_now();

}  // namespace ridge::cmd
