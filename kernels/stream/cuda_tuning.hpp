// The numbers that shape the stream kernels' launches, in one place.
#pragma once

namespace ridge::stream {

// Threads of a block: 8 warps. Eight such blocks fill an SM's 2048 threads (six on those with 1536), which together
// have 2048 × 16 bytes × the loads that one thread keeps under way in flight; some 40 KB an SM cover the latency of
// HBM.
inline constexpr unsigned cuda_threads = 256;
static_assert(cuda_threads % 32 == 0, "the reductions join whole warps");

// Blocks are as many as are resident at once, times this; the loops go on from there. One wave has no tail of
// half-empty SMs, and reductions write as few partial results as possible.
inline constexpr int cuda_waves = 1;

}  // namespace ridge::stream
