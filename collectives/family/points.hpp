// What a point of an operation means, and its work.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "bench/harness/definition.hpp"
#include "collectives/family/trail.hpp"
#include "collectives/operations/rank_work.hpp"

namespace ridge::bench::collective {

int ranks_of(const record::Point& point);
bool in_place(const record::Point& point);

// Fill and seed stay as they are by default; the caller knows them.
collectives::Job job_of(const collectives::Operation& operation, const record::Point& point);
// Bytes of the larger of a rank's arrays: the point's size, down to a whole number of elements for each rank.
std::int64_t bytes_of(const collectives::Operation& operation, const record::Point& point);

record::Work work(const collectives::Operation& operation, const record::Point& point);
// For each rank: its input, its output unless that is the same array, and what the algorithm needs besides.
std::vector<std::int64_t> buffers(const collectives::Operation& operation, const record::Point& point);
// Whatever carries it; and where ranks are threads.
std::optional<std::string> unsupported(const collectives::Operation& operation, const record::Point& point);
std::optional<std::string> unsupported_by_threads(const collectives::Operation& operation, const record::Point& point);

// Bytes a second at which a rank makes the result of a join, all ranks at once and none with a message to wait for, by
// what RankWork::joining() told each: the slowest's. Nothing where one of them has nothing to tell.
std::optional<double> join_rate_of(const collectives::Job& job, std::span<const std::optional<double>> seconds);

// Whether all ranks have as much to do as each other, as far as is known of a library's own algorithm.
bool ranks_alike(const collectives::Operation& operation, const collectives::Job& job);

// Ranks are the threads of a team, each on a CPU of its own. What they tell besides is left in `trail`, if there is
// one. `wrap` puts something of its own between a rank and its communicator, which outlives it: a test's.
using Wrap = std::function<std::unique_ptr<collectives::Communicator>(collectives::Communicator& real)>;
std::unique_ptr<Case> prepare_threads(const collectives::Operation& operation, CpuContext& context,
                                      const record::Point& point, std::shared_ptr<Trail> trail = nullptr,
                                      const Wrap& wrap = {});

}  // namespace ridge::bench::collective
