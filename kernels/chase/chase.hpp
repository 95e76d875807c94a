// The pointer chase: lines linked to one random cycle, followed load by load, each load's address being what the load
// before it brought. So the time of a load is the latency of the level that holds the lines.
//
//   for (hop = 0; hop < hops; ++hop) at = at->next;
//
// k chains start k equal parts of the cycle apart and are followed by one thread in one loop: their loads do not wait
// for each other, so up to k lines are on their way at once (memory-level parallelism).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace ridge::chase {

// What memory moves at once on x86-64 and on most AArch64 cores. Where lines are longer, two of these share one.
inline constexpr std::int64_t line_bytes = 64;
inline constexpr int most_chains = 32;

struct alignas(line_bytes) Line {
  const Line* next;
};
static_assert(sizeof(Line) == line_bytes);

// Links all n ≥ 1 lines to one cycle in an order that follows from the seed.
void link(std::span<Line> lines, std::uint64_t seed);

// at[c], chain c of k = at.size(): the line n / k · c steps from line 0 on the cycle of that seed.
void start(std::span<const Line*> at, std::span<const Line> lines, std::uint64_t seed);

// Follows the chains at[0 … k) for `hops` links each, and leaves in them where they got to.
using Chase = void (*)(const Line** at, std::int64_t hops);

// The version for k = 1 … most_chains chains; nullptr for other counts.
Chase chase_kernel(int chains);

// The oracle: one chain after the other, link by link.
void plain_chase(std::span<const Line*> at, std::int64_t hops);

// What was found on the way round. Nothing wrong: empty `reason`, and every line was visited once.
struct Cycle {
  std::int64_t visited = 0;  // lines, each counted at its first visit
  std::string reason;
};

// Walks from lines[0] until it is back there or has gone n steps: a single cycle visits every line exactly once.
// Sixteen walkers share the way, since one alone would take as long as a measurement.
Cycle walk(std::span<const Line> lines, std::uint64_t seed);

}  // namespace ridge::chase
