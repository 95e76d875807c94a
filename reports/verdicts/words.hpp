// The words and figures that all outputs of the gate share.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "reports/compare/comparison.hpp"

namespace ridge::verdicts {

bool has_figures(const compare::Row& row);

// Of the value itself, not of its cost: new / base − 1, and the ends of its 95 % interval in ascending order.
double change(const compare::Row& row);
std::optional<std::pair<double, double>> interval(const compare::Row& row);

std::string figure(double value, const std::string& unit);  // "12.34 GB/s", "31.2 ns"
std::string signed_percent(double share);                   // "+4.2 %"
std::string percent(double share);                          // "4.2 %"
std::string interval_text(const compare::Row& row);         // "[-1.2, +0.8] %", "unknown"
std::string explanation(const compare::Row& row);           // reason and notes, "; " between them

// "regressed", "regressed (uniform shift)", "regressed (not gated)".
std::string verdict_text(const compare::Row& row);

// Whether the row makes the gate fail.
bool fails(const compare::Row& row, bool strict);

// "FAILED: 2 regressed, 1 missing, 30 same" or "passed: 33 same".
std::string headline(const compare::Comparison& comparison);

// What the gate can and cannot see: "10 baseline runs, 3 new; false alarms 1 % over 33 metrics; sees slowdowns of 5.6
// to 9.1 %".
std::string capability(const compare::Comparison& comparison);

}  // namespace ridge::verdicts
