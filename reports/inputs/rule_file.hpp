// The gate's rule file: TOML in, rules out; what it does not know is an error.
#pragma once

#include <string>
#include <string_view>

#include "reports/compare/rules.hpp"

namespace ridge::inputs {

// [defaults] tolerance, noise_factor, implausible, false_alarms; [[rule]] match, tolerance, floor, better, gated,
// reason; [[ratio]] name, numerator, denominator, better. Tolerances are 0.03 or "3 %", floors "2 us" or a number in
// the metric's unit. ASCII, but for lines of comment. compare::RuleError, "FILE:LINE: what", for bad TOML, unknown
// keys, wrong types and figures out of range, and for gated = false without a reason.
compare::Rules read_rules(std::string_view text, const std::string& name);

}  // namespace ridge::inputs
