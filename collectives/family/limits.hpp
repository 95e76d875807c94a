// busbw that is above what the same run measured of the link, or of the memory, that should bound it; and why.
#pragma once

#include <span>
#include <vector>

#include "collectives/operations/operations.hpp"
#include "reports/record/report.hpp"

namespace ridge::bench::collective {

// Ranks that are threads: against the bandwidth that the best record of the run reached in memory. An operation of
// which `size` bytes a rank make W bytes read and written takes at least W / B, so busbw ≤ factor · size · B / W.
// Others: against what sendrecv moved between the same ranks in this run, each byte over one link once.
// `records` are all of the run, those of the operation with their metrics; a finding for each that measured.
std::vector<record::Finding> beyond_limits(const collectives::Operation& operation,
                                           std::span<const record::Record> records);

}  // namespace ridge::bench::collective
