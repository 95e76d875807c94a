// What every measuring command does once its options are read: plan, run, report, exit status.
#pragma once

#include <functional>

#include "bench/harness/plan.hpp"
#include "cmd/commands.hpp"
#include "cmd/measure_options.hpp"

namespace ridge::cmd {

// How the result is shown on stdout when --format is table: one line per record, that with the family's picture, or one
// screen for a suite.
enum class View { table, picture, summary };

// `command` names the kept report: "run", "bandwidth". `complete` adds to the report what only the caller knows.
record::Exit measure(const Invocation& invocation, const std::string& command, const MeasureOptions& options,
                     std::vector<bench::Request> requests, bool by_suite, const bench::Settings& settings, View view,
                     const std::function<void(record::Report&)>& complete = {});

}  // namespace ridge::cmd
