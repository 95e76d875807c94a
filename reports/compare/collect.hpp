// The values of every metric over the runs of one side.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/compare/align.hpp"

namespace ridge::compare {

struct Found {
  std::string id;
  std::string metric;
  std::string unit;  // of `values`: the first run's
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
  std::string first_source;
  std::string last_source;
  std::string reproduce;

  [[nodiscard]] std::string why_none() const;  // the distinct reasons
  [[nodiscard]] bool absent() const;           // skipped, failed or not run, rather than doubtful or null
};

struct Collected {
  std::vector<Found> all;  // in the order of the first run that has each; no directionless ones
  std::unordered_map<std::string, std::size_t> by_name;
  std::unordered_map<std::string, Found> stopped;  // by case: never ok in any run, so that its metrics are not known

  [[nodiscard]] const Found* find(const Found& same) const;
};

Collected collect(std::span<const Run> runs, const std::vector<Ratio>& ratios);

// Sets each row's tolerance, floor and gating. RuleError for patterns without a match and for a wrong direction check.
void apply(const Rules& rules, std::vector<Row>& rows);

}  // namespace ridge::compare
