// What the records of an operation say together: bandwidths, a model for each algorithm, and where two of them cross.
#pragma once

#include "bench/harness/analysis.hpp"
#include "collectives/family/curves.hpp"
#include "collectives/family/trail.hpp"
#include "collectives/operations/operations.hpp"

namespace ridge::bench::collective {

// Adds algbw, busbw and predicted_time to the operation's records.
std::vector<record::Finding> conclude(const collectives::Operation& operation, std::span<record::Record> records,
                                      const JoinRate& join_rate = join_rate_in);
std::vector<std::string> key_figures(const collectives::Operation& operation, std::span<const record::Record> records);

// With what the ranks told of the records.
std::shared_ptr<const Analysis> analysis(const collectives::Operation& operation, std::shared_ptr<const Trail> trail);

}  // namespace ridge::bench::collective
