// What the family concludes: intensity and roof of each kernel, ridge points, the key figures and the picture.
#pragma once

#include <memory>

#include "bench/harness/analysis.hpp"

namespace ridge::bench::roofline {

std::shared_ptr<const Analysis> analysis();

std::vector<record::Finding> conclude(std::span<record::Record> records);
std::vector<std::string> key_figures(std::span<const record::Record> records);
std::string draw(std::span<const record::Record> records, int columns);

}  // namespace ridge::bench::roofline
