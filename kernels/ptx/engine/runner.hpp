// The state of a warp's turn. schedule_warp.cpp has its loop and branches, schedule_meet.cpp where lanes wait.
#pragma once

#include <algorithm>
#include <climits>

#include "kernels/ptx/engine/run.hpp"
#include "kernels/ptx/engine/schedule.hpp"

namespace ridge::ptx {

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

}  // namespace ridge::ptx
