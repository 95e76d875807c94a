// What the family concludes: the rates that one thread, one address and a handover predict, beside the measured ones.
#pragma once

#include <memory>

#include "bench/harness/analysis.hpp"

namespace ridge::bench::atomics {

std::shared_ptr<const Analysis> analysis();

std::vector<record::Finding> conclude(std::span<record::Record> records);
std::vector<std::string> key_figures(std::span<const record::Record> records);

}  // namespace ridge::bench::atomics
