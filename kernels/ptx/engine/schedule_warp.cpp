// One turn of a warp: which lanes go next, and the interpreter's loop.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <climits>

#include "kernels/ptx/engine/runner.hpp"

namespace ridge::ptx {
namespace {

constexpr u32 turn_out_of_order = 1000;

}  // namespace

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
    profile.lanes += active == all_lanes ? 32 : static_cast<u64>(std::popcount(active));
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

Turn run_warp(Warp& w, u64 budget) {
  Runner runner(w, budget);
  const Turn turn = runner.run();
  w.worker->steps += budget - runner.left();
  return turn;
}

}  // namespace ridge::ptx
