// What a rule file says: tolerances by pattern, metrics that are not gated and why, ratios of metrics.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reports/compare/series.hpp"
#include "reports/compare/units.hpp"

namespace ridge::compare {

// Exit status 2. The message begins with the file and the line.
struct RuleError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Rule {
  std::string where;    // "gate.toml:12"
  std::string pattern;  // of "IDENTITY: METRIC"; * is any text, ? any character
  std::optional<double> tolerance;
  std::optional<Quantity> floor;         // a smaller change is none
  std::optional<record::Better> better;  // what the metric must say of itself
  std::optional<bool> gated;
  std::string reason;  // of gated = false
};

// A metric made of two that were measured in the same run. Each pattern matches one metric.
struct Ratio {
  std::string where;
  std::string name;
  std::string numerator;
  std::string denominator;
  record::Better better = record::Better::higher;
};

struct Rules {
  std::optional<double> tolerance;
  std::optional<double> noise_factor;
  std::optional<double> implausible;
  std::optional<double> false_alarms;
  std::vector<Rule> rules;  // a later rule's keys go over an earlier one's
  std::vector<Ratio> ratios;
};

bool matches(std::string_view pattern, std::string_view text);

}  // namespace ridge::compare
