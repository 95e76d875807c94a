// Ridge's own report, record by record, as a run of the gate.
#pragma once

#include <string>

#include "reports/compare/run.hpp"
#include "reports/record/report.hpp"

namespace ridge::inputs {

compare::Case case_of(record::Record record);

// Of the report all but its records.
compare::Run run_of(const record::Report& report, const std::string& source);

}  // namespace ridge::inputs
