// Ridge's own report as a run of the gate.
#pragma once

#include <string>

#include "reports/compare/run.hpp"
#include "reports/record/report.hpp"

namespace ridge::inputs {

compare::Run from_report(const record::Report& report, const std::string& source);

}  // namespace ridge::inputs
