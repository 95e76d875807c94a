// Predicted and measured speed-ups, from the records of a run.
#pragma once

#include <memory>

#include "bench/harness/analysis.hpp"

namespace ridge::bench::fusion {

std::vector<record::Finding> conclude(std::span<record::Record> records);
std::vector<std::string> key_figures(std::span<const record::Record> records);
std::shared_ptr<const Analysis> analysis();

}  // namespace ridge::bench::fusion
