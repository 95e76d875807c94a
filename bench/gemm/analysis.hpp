// What the family concludes: shares of the library and of f32, gains along the ladder, libraries that are held back.
#pragma once

#include <memory>

#include "bench/harness/analysis.hpp"

namespace ridge::bench::gemm {

std::shared_ptr<const Analysis> analysis();

std::vector<record::Finding> conclude(std::span<record::Record> records);
std::vector<std::string> key_figures(std::span<const record::Record> records);

}  // namespace ridge::bench::gemm
