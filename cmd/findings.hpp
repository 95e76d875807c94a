// What a person should know about a finished run, found in its records and its machine.
#pragma once

#include <vector>

#include "reports/record/report.hpp"

namespace ridge::cmd {

// Not a Release build, hidden caches, quota throttling, time stolen by a hypervisor, settings that hold a library back.
// Says each thing once, with the records it is about.
std::vector<record::Finding> findings_of(const record::Report& report);

}  // namespace ridge::cmd
