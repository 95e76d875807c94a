// What the ranks found, as the verification of a record.
#pragma once

#include <vector>

#include "collectives/operations/rank_work.hpp"
#include "reports/record/record.hpp"

namespace ridge::bench::collective {

// Elements that each rank found wrong, and how many all have compared.
record::Verification verdict(const std::vector<std::int64_t>& wrong, std::int64_t checked);
// Of a barrier: the passages of each rank, by clocks that agree.
record::Verification verdict(const std::vector<std::vector<collectives::Passage>>& passages);

}  // namespace ridge::bench::collective
