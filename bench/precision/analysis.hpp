// What the family concludes: the key figures, and overflows as a finding.
#pragma once

#include <memory>

#include "bench/harness/analysis.hpp"

namespace ridge::bench::precision {

std::shared_ptr<const Analysis> analysis();

std::vector<record::Finding> conclude(std::span<record::Record> records);
std::vector<std::string> key_figures(std::span<const record::Record> records);

}  // namespace ridge::bench::precision
