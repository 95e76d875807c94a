// What the family concludes: the rate that a warp's efficiency predicts, beside the measured one.
#pragma once

#include <memory>

#include "bench/harness/analysis.hpp"

namespace ridge::bench::divergence {

std::shared_ptr<const Analysis> analysis();

std::vector<record::Finding> conclude(std::span<record::Record> records);
std::vector<std::string> key_figures(std::span<const record::Record> records);

}  // namespace ridge::bench::divergence
