// The noise of repeated runs as text.
#pragma once

#include <string>

#include "reports/compare/noise.hpp"

namespace ridge::verdicts {

std::string noise_table(const compare::NoiseReport& report, std::size_t columns);
std::string noise_json(const compare::NoiseReport& report);  // schema "ridge-noise"

}  // namespace ridge::verdicts
