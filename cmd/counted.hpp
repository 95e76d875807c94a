// What the reference machine counts of a benchmark's example, beside what was predicted of it.
#pragma once

#include <string>

#include "bench/harness/registry.hpp"

namespace ridge::cmd {

// Runs the example and writes one line for each of its points; empty where there is none, or no reference machine in
// this build.
std::string counted_beside_predicted(const bench::Registry& registry, const bench::Definition& definition);

}  // namespace ridge::cmd
