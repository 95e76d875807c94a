// The values of every metric over the runs of one side.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reports/compare/align.hpp"
#include "reports/compare/name_index.hpp"

namespace ridge::compare {

// Text is of the runs it was found in, which must outlive this.
struct Found {
  std::string_view id;
  std::string_view metric;
  std::string_view unit;  // of `values`: the first run's
  record::Better better = record::Better::neither;
  std::int64_t version = 1;
  std::vector<double> values;        // of the runs where the case was ok; null values are left out
  std::vector<std::string> reasons;  // of the runs that gave none
  std::vector<record::Status> statuses;
  std::optional<double> peak;
  std::string conflict;  // what the runs of this side disagree about
  bool duplicate = false;
  bool metrics_known = true;
  bool wrong = false;  // an answer was
  std::string_view first_source;
  std::string_view last_source;
  std::string_view reproduce;

  [[nodiscard]] std::string why_none() const;  // the distinct reasons
  [[nodiscard]] bool absent() const;           // skipped, failed or not run, rather than doubtful or null
};

struct Collected {
  std::vector<Found> all;  // in the order of the first run that has each; no directionless ones
  NameIndex by_name;
  std::unordered_map<std::string_view, Found> stopped;  // by case: never ok in any run: its metrics are not known
  std::deque<Case> made;                                // ratios, which no run holds

  // `likely` is where it stands if both sides have the same metrics in the same order.
  [[nodiscard]] Found* find(const Found& same, std::size_t likely);
};

Collected collect(std::span<const Run> runs, const std::vector<Ratio>& ratios);

// One side: its runs, and what was collected of them.
struct Sources {
  std::span<const Run> runs;
  const Collected& found;
};

// Adds a row for each case that failed on one side and was measured on neither, and for one that is new and failed.
// What was skipped or not run on both sides gets none.
void add_stopped(const Sources& base, const Sources& fresh, std::vector<Row>& rows);

// Sets each row's tolerance, floor and gating. RuleError for patterns without a match and for a wrong direction check.
void apply(const Rules& rules, std::vector<Row>& rows);

// Takes away each judged row that is a function of another of its case under the same rules, and names it there.
void fold(std::vector<Row>& rows);

}  // namespace ridge::compare
