// One turn of a warp: the interpreter's loop.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <climits>

#include "kernels/ptx/engine/run.hpp"
#include "kernels/ptx/engine/schedule.hpp"

namespace ridge::ptx {
namespace {

class Runner {
 public:
  Runner(Warp& warp, u64 budget)
      : w_(warp),
        block_(*warp.block),
        worker_(*warp.worker),
        kernel_(*worker_.kernel),
        code_(kernel_.code.data()),
        profile_(worker_.profile.data()),
        left_(budget) {}

  Turn run();
  u64 left() const { return left_; }

 private:
  using State = Group::State;

  bool choose();
  void loop();
  void branch(const Op& op, u32 lanes);
  void branch_table(const Op& op, u32 lanes);
  void exit(u32 lanes);
  void barrier(const Op& op, u32 lanes);
  void collective(const Op& op, u32 lanes);
  bool met(const Op& op, u32 members, u32 part);

  void push(u32 pc, u32 lanes, State state = State::ready, u32 number = 0, u32 members = 0) {
    w_.groups[w_.group_count++] = {state, pc, lanes, number, members};
  }
  void drop(int i) { w_.groups[i] = w_.groups[--w_.group_count]; }
  void find_limit() {
    limit_ = UINT_MAX;
    if (alone_) return;
    for (int i = 0; i < w_.group_count; ++i) {
      if (w_.groups[i].state == State::ready) limit_ = std::min(limit_, w_.groups[i].pc);
    }
  }
  bool any_ready() const {
    for (int i = 0; i < w_.group_count; ++i) {
      if (w_.groups[i].state == State::ready) return true;
    }
    return false;
  }
  /// Absorbs the ready groups that stand where this one does.
  void merge() {
    for (int i = 0; i < w_.group_count;) {
      if (w_.groups[i].state == State::ready && w_.groups[i].pc == pc_) {
        lanes_ |= w_.groups[i].lanes;
        drop(i);
      } else {
        ++i;
      }
    }
    find_limit();
  }

  Warp& w_;
  Block& block_;
  Worker& worker_;
  const Kernel& kernel_;
  const Op* code_;
  Profile* profile_;
  u64 left_;
  u32 pc_ = 0, lanes_ = 0, limit_ = UINT_MAX;
  u32 alone_left_ = 0;
  bool alone_ = false;   ///< takes a turn out of order, and does not merge
  bool forced_ = false;  ///< everything else in the warp waits: an aligned barrier must decide now
  bool over_ = false;
};

constexpr u32 turn_out_of_order = 1000;

bool Runner::choose() {
  int best = -1, ready = 0;
  for (int i = 0; i < w_.group_count; ++i) {
    if (w_.groups[i].state != State::ready) continue;
    ++ready;
    if (best < 0 || w_.groups[i].pc < w_.groups[best].pc) best = i;
  }
  forced_ = false;
  if (best < 0) {  // lanes that stopped at an aligned barrier to wait for the rest of their warp
    for (int i = 0; i < w_.group_count; ++i) {
      if (w_.groups[i].state == State::converging && (best < 0 || w_.groups[i].pc < w_.groups[best].pc)) best = i;
    }
    if (best < 0) return false;
    const u32 pc = w_.groups[best].pc;
    for (int i = 0; i < w_.group_count; ++i) {
      if (w_.groups[i].state == State::converging && w_.groups[i].pc == pc) w_.groups[i].state = State::ready;
    }
    forced_ = true;
    alone_ = false;
    pc_ = pc;
    lanes_ = 0;
    merge();
    return true;
  }
  alone_ = w_.take_turns && ready > 1;
  w_.take_turns = false;
  if (alone_) {
    int skip = static_cast<int>(worker_.random() % static_cast<u64>(ready));
    for (int i = 0; i < w_.group_count; ++i) {
      if (w_.groups[i].state == State::ready && skip-- == 0) best = i;
    }
    alone_left_ = turn_out_of_order;
  }
  pc_ = w_.groups[best].pc;
  lanes_ = w_.groups[best].lanes;
  drop(best);
  if (alone_)
    find_limit();
  else
    merge();
  return true;
}

Turn Runner::run() {
  while (!over_) {
    if (w_.group_count == 0) return Turn::finished;
    if (!choose()) return Turn::waiting;
    loop();
  }
  return Turn::over;
}

/// Runs the chosen group until it has nowhere to go, meets another, or the turn is over; then lanes_ is 0.
void Runner::loop() {
  u8* const registers = w_.registers;
  while (lanes_ != 0) {
    if (__builtin_expect(pc_ >= limit_, 0)) {
      if (pc_ != limit_) {
        push(pc_, lanes_);
        return;
      }
      merge();
    }
    if (__builtin_expect(left_ == 0, 0)) {
      push(pc_, lanes_);
      w_.take_turns = true;
      over_ = true;
      return;
    }
    --left_;
    if (alone_ && alone_left_-- == 0) {
      push(pc_, lanes_);
      return;
    }
    const Op& op = code_[pc_];
    u32 active = lanes_;
    if (op.guard != no_register) {
      u32 p;
      __builtin_memcpy(&p, registers + op.guard, sizeof p);
      active &= op.guard_inverted ? ~p : p;
    }
    Profile& profile = profile_[pc_];
    profile.warps += 1;
    profile.lanes += static_cast<u64>(std::popcount(active));
    if (__builtin_expect(op.flow == Flow::straight, 1)) {
      if (active) op.run(w_, op, active);
      ++pc_;
      continue;
    }
    if (op.flow == Flow::branch) {
      branch(op, active);
      continue;
    }
    if (active == 0) {
      ++pc_;
      continue;
    }
    switch (op.flow) {
      case Flow::branch_table:
        branch_table(op, active);
        break;
      case Flow::exit:
        exit(active);
        break;
      case Flow::barrier:
        barrier(op, active);
        break;
      case Flow::warp_collective:
      case Flow::warp_barrier:
        collective(op, active);
        break;
      case Flow::yield:
        push(pc_ + 1, lanes_);
        w_.take_turns = true;
        over_ = true;
        return;
      default:
        fail(FaultKind::trap, w_, op, std::countr_zero(active),
             "the kernel ended itself with '" + kernel_.sites[op.site].text + "'");
    }
  }
}

void Runner::branch(const Op& op, u32 taken) {
  if (taken == lanes_) {
    pc_ = op.target;
  } else if (taken == 0) {
    ++pc_;
  } else {
    ++worker_.counts.divergent_branches;
    const u32 next = pc_ + 1, rest = lanes_ & ~taken;
    if (op.target == next) {
      pc_ = next;
      return;
    }
    // The lower counter goes on: backward branches keep looping while the others wait behind the loop.
    if (op.target < next || alone_) {
      push(next, rest);
      pc_ = op.target;
      lanes_ = taken;
    } else {
      push(op.target, taken);
      pc_ = next;
      lanes_ = rest;
    }
    find_limit();
  }
}

void Runner::branch_table(const Op& op, u32 taken) {
  if (taken != lanes_) push(pc_ + 1, lanes_ & ~taken);
  const std::vector<u32>& table = kernel_.tables[op.target];
  const u32* index = reg<u32>(w_, op.a);
  for (u32 rest = taken; rest;) {
    const int first = std::countr_zero(rest);
    if (index[first] >= table.size())
      fail(FaultKind::trap, w_, op, first, fmt::format("branch table index {}", index[first]));
    u32 same = 0;
    for (u32 left = rest; left; left &= left - 1) {
      const int i = std::countr_zero(left);
      if (index[i] < table.size() && table[index[i]] == table[index[first]]) same |= 1u << i;
    }
    rest &= ~same;
    push(table[index[first]], same);
  }
  lanes_ = 0;
}

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

}  // namespace

Turn run_warp(Warp& w, u64 budget) {
  Runner runner(w, budget);
  const Turn turn = runner.run();
  w.worker->steps += budget - runner.left();
  return turn;
}

}  // namespace ridge::ptx
