// What a device counted while it did some work; only the reference machine counts.
#pragma once

#include <cstdint>

namespace ridge::device {

struct Counted {
  // By executed instructions and by copies: bytes that kernels asked of device memory, and that copies and fills moved
  // (a copy reads and writes each byte once).
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t shared_bytes_read = 0;  // that kernels asked of shared memory
  std::int64_t shared_bytes_written = 0;
  std::int64_t flops = 0;  // floating-point operations of every type, a fused multiply-add being two
  std::int64_t launches = 0;
  std::int64_t instructions = 0;  // of warps
  std::int64_t requests = 0;      // of warps to device memory
  std::int64_t sectors = 0;       // 32-byte pieces that those requests touch
  std::int64_t bank_conflicts = 0;
  std::int64_t divergent_branches = 0;
  std::int64_t lanes = 0;                  // that executed those instructions: at most 32 for each
  std::int64_t floating_instructions = 0;  // of warps, floating-point arithmetic only
  std::int64_t floating_lanes = 0;
  std::int64_t atomics = 0;          // lanes of atomic instructions, on device and shared memory
  std::int64_t atomic_requests = 0;  // of warps
  std::int64_t atomic_turns = 0;     // of each request the most lanes that meet at one address, summed
};

}  // namespace ridge::device
