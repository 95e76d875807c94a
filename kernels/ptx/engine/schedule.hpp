// Running warps and blocks: which lanes go next, where they meet again, and what they wait for.
//
// A warp is a set of groups of lanes. The ready group with the lowest program counter runs until it reaches the
// counter of another ready group, with which it then merges; that makes lanes reconverge where paths join. A group
// that runs too long lets others take turns, so that lanes spinning for each other make progress.
#pragma once

#include "kernels/ptx/machine/state.hpp"

namespace ridge::ptx {

enum class Turn : u8 { finished, waiting, over };

/// Runs a warp for at most `budget` operations.
Turn run_warp(Warp& w, u64 budget);

/// Lets all threads that wait at this barrier go on.
void release_barrier(Block& block, u32 number);

/// Prepares a block's storage once, then starts it at a place in the grid as often as wanted.
void prepare_block(Block& block, Worker& worker);
void start_block(Block& block, u64 linear);
/// Gives every warp of the block a turn; false when the block has finished. Throws Fault on a deadlock.
bool step_block(Block& block);

/// Executes blocks until none is left or the launch stops.
void run_worker(Worker& worker);

}  // namespace ridge::ptx
