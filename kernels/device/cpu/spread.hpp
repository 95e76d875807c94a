// Work of the host beside a GPU's, such as making its data and checking what came back: spread over threads that are
// started for it and end with it. What is timed on the CPU is a team's work instead (device.hpp).
#pragma once

#include <cstdint>
#include <functional>

#include "kernels/device/cpu/device.hpp"

namespace ridge::device::cpu {

// As many as this process may run on, but no more than have `least` each of `count` to do; 1 at the least.
int threads_worth(std::int64_t count, std::int64_t least);

// Calls body(rank, share) for each rank below `threads` whose share of `count` (as share() deals it out) is not empty,
// each on a thread, the caller's among them, and returns when all have. What they throw is thrown here, the lowest
// rank's of several. Where the system starts no more threads the caller does their shares as well.
void spread(std::int64_t count, std::int64_t line, int threads, const std::function<void(int rank, Share)>& body);

}  // namespace ridge::device::cpu
