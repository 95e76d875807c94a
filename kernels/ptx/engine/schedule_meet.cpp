// Where lanes wait for each other: block barriers, warp-synchronous instructions, and what an exit changes for them.
#include <fmt/format.h>

#include <bit>
#include <climits>

#include "kernels/ptx/engine/runner.hpp"

namespace ridge::ptx {

void Runner::exit(u32 leaving) {
  w_.live &= ~leaving;
  const u32 count = static_cast<u32>(std::popcount(leaving));
  block_.live_threads -= count;
  block_.exited_threads += count;
  for (u32 left = leaving; left && !w_.pending.empty(); left &= left - 1)
    finish_copies(w_, std::countr_zero(left), UINT_MAX);
  for (int i = 0; i < w_.group_count; ++i) {  // fewer lanes to wait for
    if (w_.groups[i].state == State::at_warp_barrier) w_.groups[i].state = State::ready;
  }
  lanes_ &= ~leaving;
  ++pc_;
  for (u32 number = 0; number < 16; ++number) {
    Barrier& b = block_.barriers[number];
    if (b.arrived != 0 && !b.counted && b.arrived >= block_.live_threads) release_barrier(block_, number);
  }
  find_limit();
}

void Runner::barrier(const Op& op, u32 arriving) {
  if (arriving != lanes_) {
    push(pc_ + 1, lanes_ & ~arriving);
    lanes_ = arriving;
    find_limit();
  }
  const int first = std::countr_zero(arriving);
  const Checks& checks = worker_.launch->options->checks;
  if (op.imm && arriving != w_.live && checks.barriers) {
    if (any_ready() || !forced_) {
      push(pc_, arriving, State::converging);
      lanes_ = 0;
      return;
    }
    fail(
        FaultKind::divergent_barrier, w_, op, first,
        fmt::format("lanes {:#010x} of a warp with live lanes {:#010x} execute an aligned barrier", arriving, w_.live));
  }
  const u32 number = reg<u32>(w_, op.a)[first];
  if (number > 15) fail(FaultKind::trap, w_, op, first, fmt::format("barrier number {}", number));
  Barrier& b = block_.barriers[number];
  const u32 threads = op.b ? reg<u32>(w_, op.b)[first] : 0;
  if (threads != 0) {
    if (threads % 32 != 0)
      fail(FaultKind::trap, w_, op, first, fmt::format("barrier of {} threads, not a multiple of 32", threads));
    if (b.arrived != 0 && b.counted && b.expected != threads)
      fail(FaultKind::barrier_not_reached, w_, op, first, "barrier used with different numbers of threads");
    b.expected = threads;
    b.counted = true;
  }
  if (op.k >= 2) {
    const u32 votes = (*reg<u32>(w_, op.c) ^ (op.n ? ~0u : 0u)) & arriving;
    if (b.arrived == 0) b.accumulated = op.k == 3;
    if (op.k == 2)
      b.accumulated += static_cast<u32>(std::popcount(votes));
    else if (op.k == 3)
      b.accumulated &= votes == arriving ? 1 : 0;
    else
      b.accumulated |= votes != 0 ? 1 : 0;
  }
  b.arrived += static_cast<u32>(std::popcount(arriving));
  if (op.k == 1) {
    ++pc_;
  } else {
    push(pc_, arriving, State::at_barrier, number);
    lanes_ = 0;
  }
  const u32 wanted = b.counted ? b.expected : block_.live_threads;
  if (b.counted && b.arrived > wanted)
    fail(FaultKind::barrier_not_reached, w_, op, first,
         fmt::format("{} threads at a barrier of {}", b.arrived, wanted));
  if (b.arrived >= wanted) release_barrier(block_, number);
  if (lanes_ != 0) find_limit();
}

/// For bar.warp.sync, where lanes may wait at different places: all members are here or waiting; lets those go.
bool Runner::met(const Op& op, u32 members, u32 part) {
  const u32 needed = members & w_.live;
  if (op.flow == Flow::warp_collective) return (part & needed) == needed;
  u32 here = part;
  auto waits = [&](const Group& g) {
    return g.state == State::at_warp_barrier && g.members == members && code_[g.pc].flow == Flow::warp_barrier;
  };
  for (int i = 0; i < w_.group_count; ++i) here |= waits(w_.groups[i]) ? w_.groups[i].lanes : 0;
  if ((here & needed) != needed) return false;
  for (int i = 0; i < w_.group_count; ++i) {
    if (!waits(w_.groups[i])) continue;
    w_.groups[i].state = State::ready;
    ++w_.groups[i].pc;
  }
  return true;
}

void Runner::collective(const Op& op, u32 active) {
  for (int i = 0; i < w_.group_count;) {  // those who came here earlier and wait
    if (w_.groups[i].state == State::at_warp_barrier && w_.groups[i].pc == pc_) {
      lanes_ |= w_.groups[i].lanes;
      active |= w_.groups[i].lanes;
      drop(i);
    } else {
      ++i;
    }
  }
  const u32* masks = op.members != no_register ? reg<u32>(w_, static_cast<u32>(op.members)) : nullptr;
  u32 waiting = 0;
  for (u32 rest = active; rest;) {
    const int first = std::countr_zero(rest);
    const u32 members = masks ? masks[first] : all_lanes;
    u32 part = rest;
    if (masks) {
      part = 0;
      for (u32 left = rest; left; left &= left - 1) {
        const int i = std::countr_zero(left);
        if (masks[i] == members) part |= 1u << i;
      }
    }
    rest &= ~part;
    if (part & ~members) {
      const int stranger = std::countr_zero(part & ~members);
      fail(FaultKind::wrong_mask, w_, op, stranger,
           fmt::format("member mask {:#010x} leaves out lane {} itself", members, stranger));
    }
    if (met(op, members, part)) {
      if (!masks && w_.live != all_lanes)
        fail(FaultKind::wrong_mask, w_, op, first, "a whole-warp instruction in an incomplete warp");
      if (op.flow == Flow::warp_collective) op.run(w_, op, part);
      continue;
    }
    waiting |= part;
    push(pc_, part, State::at_warp_barrier, 0, members);
  }
  lanes_ &= ~waiting;
  ++pc_;
  find_limit();
}

}  // namespace ridge::ptx
