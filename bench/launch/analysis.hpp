// What the family concludes: the fork and join that handovers predict, and what a graph saves.
#pragma once

#include <memory>

#include "bench/harness/analysis.hpp"

namespace ridge::bench::launch {

std::shared_ptr<const Analysis> analysis();

std::vector<record::Finding> conclude(std::span<record::Record> records);
std::vector<std::string> key_figures(std::span<const record::Record> records);

}  // namespace ridge::bench::launch
