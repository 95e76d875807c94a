// algbw, busbw and the model, from the times of a run.
#pragma once

#include <memory>

#include "bench/harness/analysis.hpp"

namespace ridge::bench::allreduce {

// busbw for each algbw: 2 (n − 1)/n, what a rank must send and receive at least for each byte of its array; nothing for
// one rank, which sends nothing.
std::optional<double> bus_factor(int ranks);

std::vector<record::Finding> conclude(std::span<record::Record> records);
std::vector<std::string> key_figures(std::span<const record::Record> records);
std::shared_ptr<const Analysis> analysis();

}  // namespace ridge::bench::allreduce
