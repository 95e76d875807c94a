// The options that every judging command shares, and how its verdicts are put out.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

#include "bench/harness/parse.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/json/scanner.hpp"

namespace ridge::cmd {

struct GateOptions {
  std::string rules;  // a file
  std::string format = "table";
  std::vector<std::string> out;  // FORMAT:FILE
  bool strict = false;
  bool allow_different_machine = false;
  bool all = false;
};

void add_gate_options(CLI::App& command, GateOptions& options);

// Reads the rule file. UsageError for a bad one.
compare::Options compare_options(const GateOptions& options);

// UsageError, before anything is measured, for outputs that are not spelled right or cannot be written.
void check_gate_outputs(const GateOptions& options);

// Writes every output; the strongest of the comparison's exit status and of what could not be written.
record::Exit deliver(const compare::Comparison& comparison, const GateOptions& options);

// A number of runs from 1 to 1000; UsageError names the option.
int parse_runs(const char* option, const std::string& text);

// Runs `work` so that what it refuses to read ends as a usage error: exit status 2.
template <class Work>
auto reading(const Work& work) {
  try {
    return work();
  } catch (const json::ReadError& error) {
    throw bench::UsageError(error.what());
  } catch (const compare::RuleError& error) {
    throw bench::UsageError(error.what());
  }
}

}  // namespace ridge::cmd
