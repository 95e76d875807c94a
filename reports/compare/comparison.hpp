// The whole comparison of two sets of runs: rows with verdicts, what differs between the machines, the exit status.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "reports/compare/align.hpp"
#include "reports/compare/judge.hpp"
#include "reports/record/machine_diff.hpp"
#include "reports/record/status.hpp"

namespace ridge::compare {

struct Options {
  Settings settings;
  Rules rules;
  bool allow_different_machine = false;
  bool strict = false;  // undecided fails
};

struct Side {
  std::vector<std::string> sources;
  std::string tool;  // of the last run
};

struct Comparison {
  Side base;
  Side fresh;
  std::vector<Row> rows;  // in the order of the baseline
  Pooled pooled;
  Settings settings;                            // after the rule file
  std::vector<record::Difference> differences;  // of the machines: identity and software tiers
  bool other_machine = false;
  bool allowed = false;  // the user wanted it all the same
  bool strict = false;
  std::vector<std::string> notes;  // what a reader must know of the whole: one baseline run, uniform shift, …
  std::size_t ignored = 0;         // metrics without a direction

  [[nodiscard]] std::size_t count(Verdict verdict) const;  // among gated rows
  [[nodiscard]] record::Exit exit() const;
};

// Neither side is empty.
Comparison compare(std::span<const Run> base, std::span<const Run> fresh, const Options& options);

}  // namespace ridge::compare
