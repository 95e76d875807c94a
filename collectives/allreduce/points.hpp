// What a point of the family means, and its work.
#pragma once

#include <optional>
#include <string>

#include "bench/harness/definition.hpp"
#include "collectives/algorithms/algorithms.hpp"

namespace ridge::bench::allreduce {

int ranks_of(const record::Point& point);
reduce::Rule rule_of(const record::Point& point);
bool in_place(const record::Point& point);
std::int64_t count_of(const record::Point& point);  // elements of each rank
const collectives::Algorithm& algorithm_of(const record::Point& point);

record::Work work(const record::Point& point);
// For each rank: its input, its output unless that is the same array, and what the algorithm needs besides.
std::vector<std::int64_t> buffers(const record::Point& point);
std::optional<std::string> unsupported(const record::Point& point);

std::unique_ptr<Case> prepare_cpu(CpuContext& context, const record::Point& point);

}  // namespace ridge::bench::allreduce
