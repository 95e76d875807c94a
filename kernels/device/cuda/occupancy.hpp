// How many threads of a kernel fit on one multiprocessor, from what ptxas says it needs. No GPU is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ridge::device::cuda {

// What one multiprocessor of an architecture has (CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability").
struct MultiprocessorLimits {
  int warps = 0;
  int blocks = 0;
  int registers = 65536;
  std::int64_t shared_bytes = 0;
};

// Nothing for an architecture that is not in the table: never a guess. "sm_90a" is "sm_90".
std::optional<MultiprocessorLimits> limits_of(const std::string& architecture);

// Resident warps as a share of the most: warps are given registers in units of 256, each block takes 1 KiB of shared
// memory besides its own. Nothing for an unknown architecture or no threads.
std::optional<double> theoretical_occupancy(const std::string& architecture, int registers, std::int64_t shared_bytes,
                                            int threads);

}  // namespace ridge::device::cuda
