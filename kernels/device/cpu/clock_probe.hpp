// The clock a core really runs at now, measured by a chain of dependent additions; no counters, no privileges.
#pragma once

#include <optional>

namespace ridge::device::cpu {

// Cycles per second of the calling thread's core, from additions of one cycle each that wait for one another; about a
// quarter of a millisecond. The fastest of several tries counts, as an interruption only ever makes one slower. Nothing
// in a build without optimisation, where the chain would go through memory.
std::optional<double> effective_clock_hz();

}  // namespace ridge::device::cpu
