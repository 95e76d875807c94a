// Runs of a benchmark program in processes of their own, read back as runs of the gate.
#pragma once

#include <string>
#include <vector>

#include "cmd/child.hpp"
#include "reports/compare/run.hpp"
#include "reports/record/status.hpp"

namespace ridge::cmd {

struct Measured {
  std::string text;  // the report as the process wrote it
  compare::Run run;
};

// A program that writes a report. How it is told where to: Ridge by --json, Google Benchmark by --benchmark_out, any
// other by {out} in one of its arguments. UsageError for a program of which none of that is known.
class Program {
 public:
  // This binary with these arguments; `run --suite ci` without any.
  static Program ridge(std::vector<std::string> arguments);
  // A path or a command line, with more arguments behind it.
  static Program of(const std::string& command, const std::vector<std::string>& arguments);

  // One process. std::runtime_error (exit status 4) when it leaves no report, UsageError when it refuses its arguments.
  [[nodiscard]] Measured once(const std::string& name) const;

 private:
  enum class Kind { ridge, google_benchmark, placeholder };
  std::vector<std::string> arguments_;
  Kind kind_ = Kind::ridge;
};

// `runs` of them, one after the other, with a line of progress each on stderr unless `quiet`. Every report is also put
// into `keep`, unless that is empty. Ends early when a signal comes: see SignalGuard.
std::vector<Measured> measure_runs(const Program& program, int runs, const std::string& what, const std::string& keep,
                                   bool quiet);

std::vector<compare::Run> runs_of(const std::vector<Measured>& measured);

// The exit status of a command that a signal ended, or success.
record::Exit signal_exit();

}  // namespace ridge::cmd
