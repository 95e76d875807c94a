// Brings the runs of both sides together by metric, and sorts out what cannot be judged before anything is.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/compare/rules.hpp"
#include "reports/compare/run.hpp"
#include "reports/compare/series.hpp"

namespace ridge::compare {

struct Row {
  std::string id;  // of the case
  std::string metric;
  std::string unit;     // of the values: the baseline's
  Series series;        // values of the runs that could be used
  bool judged = false;  // by figures: the judgement is still to be made
  Judgement judgement;  // when not judged: missing, new, not_comparable or invalid, with its reason
  bool gated = true;
  std::vector<std::string> notes;     // runs that were left out and why, the rule that applied
  std::string reproduce;              // of the newest run that has one
  std::vector<std::string> together;  // metrics of the case that are a function of this one: judged with it

  [[nodiscard]] std::string name() const { return id + ": " + metric; }
};

// One row for each metric of either side that has a direction, the baseline's order first; but one for those of a case
// that are functions of each other, and one, whose metric is "*", for a case that failed and has none on either side.
// RuleError for a pattern that
// matches nothing and for a ratio of metrics that are not there.
std::vector<Row> align(std::span<const Run> base, std::span<const Run> fresh, const Rules& rules);

}  // namespace ridge::compare
