// Real runs kept as one line a metric, and what the gate says of random splits of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/compare/run.hpp"
#include "reports/compare/series.hpp"
#include "reports/compare/study/dial.hpp"

namespace ridge::study {

struct Recorded {
  std::string name;  // "CASE: METRIC"
  std::string unit;
  record::Better better = record::Better::lower;
  std::vector<double> values;  // by run, in the order of time
};

// Tab-separated: name, unit, better, values; lines that begin with # are comments. std::runtime_error with the line for
// anything else, and unless every metric has equally many values above 0.
std::vector<Recorded> parse_recorded(std::string_view text);
std::string to_text(std::span<const Recorded> metrics);

// The metrics that every run has and that can be judged.
std::vector<Recorded> recorded(std::span<const compare::Run> runs);

struct Splits {
  std::uint64_t splits = 0;  // and as many planted slowdowns, of one metric each
  Score gate;
  std::uint64_t undecided = 0;         // unchanged splits in which some metric was undecided and none regressed
  std::uint64_t missed_undecided = 0;  // of the gate's misses: those it called undecided
  Score mann_whitney;
  Score five_percent;
  Score ten_percent;
  std::vector<Dial> dials;  // the rivals with their settings free
};

// `count` random choices of base and fresh runs without replacement. In each, the gate judges the report as it is, and
// once more with one metric (in turn) slowed by twice its tolerance.
Splits random_splits(std::span<const Recorded> metrics, std::size_t base, std::size_t fresh, std::uint64_t count,
                     const compare::Tolerance& tolerance, std::uint64_t seed);

}  // namespace ridge::study
