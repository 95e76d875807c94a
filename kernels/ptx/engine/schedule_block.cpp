// Blocks: storage, special registers, turns of their warps, deadlocks; and the loop of a worker over blocks.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <numeric>

#include "kernels/ptx/engine/run.hpp"
#include "kernels/ptx/engine/schedule.hpp"

namespace ridge::ptx {
namespace {

constexpr u32 last_epoch = (1u << 24) - 1;

u8* aligned(std::vector<u8>& storage, std::size_t bytes, u8 fill) {
  storage.assign(bytes + 64, fill);
  return storage.data() + (64 - reinterpret_cast<std::uintptr_t>(storage.data()) % 64) % 64;
}

u32 axis_of(const Dim3& d, u8 axis) {
  return axis == 0 ? d.x : axis == 1 ? d.y : d.z;
}

bool changes_per_block(Special s) {
  return s == Special::ctaid || s == Special::smid;
}

u64 special_value(const Warp& w, const SpecialRegister& s, u32 lane) {
  const Block& b = *w.block;
  const LaunchState& l = *w.worker->launch;
  const u32 thread = w.index * 32 + lane;
  switch (s.which) {
    case Special::tid:
      return s.axis == 0   ? thread % l.block.x
             : s.axis == 1 ? thread / l.block.x % l.block.y
                           : thread / l.block.x / l.block.y;
    case Special::ntid:
      return axis_of(l.block, s.axis);
    case Special::ctaid:
      return axis_of(b.index, s.axis);
    case Special::nctaid:
      return axis_of(l.grid, s.axis);
    case Special::laneid:
      return lane;
    case Special::warpid:
      return w.index;
    case Special::nwarpid:
      return 64;
    case Special::smid:
      return b.linear % std::max(1u, l.options->multiprocessors);
    case Special::nsmid:
      return l.options->multiprocessors;
    case Special::gridid:
      return 1;
    case Special::lanemask_eq:
      return 1u << lane;
    case Special::lanemask_lt:
      return (1u << lane) - 1;
    case Special::lanemask_le:
      return (u64{2} << lane) - 1;
    case Special::lanemask_gt:
      return static_cast<u32>(~((u64{2} << lane) - 1));
    case Special::lanemask_ge:
      return ~((1u << lane) - 1);
    case Special::dynamic_shared_bytes:
      return l.dynamic_shared;
    case Special::total_shared_bytes:
      return b.shared_bytes;
    case Special::zero:
      return 0;
    case Special::one:
      return 1;
    case Special::workspace_low:
      return l.workspace & 0xffffffffu;
    case Special::workspace_high:
      return l.workspace >> 32;
  }
  return 0;
}

void fill_special(Warp& w, const SpecialRegister& s) {
  for (u32 lane = 0; lane < 32; ++lane)
    write_lane(w, s.offset, s.bytes, static_cast<int>(lane), special_value(w, s, lane));
}

void count_unique_shared(Block& b) {
  Counts& counts = b.worker->counts;
  counts.shared.load.unique_bytes += b.shared_touched.loaded.count();
  counts.shared.store.unique_bytes += b.shared_touched.stored.count();
  b.shared_touched.loaded.clear();
  b.shared_touched.stored.clear();
}

[[noreturn]] void report_deadlock(Block& b) {
  const Op* code = b.worker->kernel->code.data();
  const Warp* at = nullptr;
  const Group* stuck = nullptr;
  u32 waiting = 0;
  for (const Warp& w : b.warps) {
    for (int i = 0; i < w.group_count; ++i) {
      const Group& g = w.groups[i];
      const bool barrier = g.state == Group::State::at_barrier;
      waiting += barrier ? static_cast<u32>(std::popcount(g.lanes)) : 0;
      if (!stuck || (barrier && stuck->state != Group::State::at_barrier)) {
        at = &w;
        stuck = &g;
      }
    }
  }
  const Op& op = code[stuck->pc];
  const int lane = std::countr_zero(stuck->lanes);
  if (stuck->state == Group::State::at_barrier) {
    fail(FaultKind::barrier_not_reached, *at, op, lane,
         fmt::format("{} of {} threads wait at a barrier that the others never reach", waiting, b.live_threads));
  }
  fail(FaultKind::wrong_mask, *at, op, lane,
       fmt::format("lanes {:#010x} wait for lanes {:#010x}, which never arrive", stuck->lanes,
                   stuck->members & ~stuck->lanes & at->live));
}

}  // namespace

void release_barrier(Block& block, u32 number) {
  Barrier& b = block.barriers[number];
  Worker& worker = *block.worker;
  const Op* code = worker.kernel->code.data();
  for (Warp& w : block.warps) {
    for (int i = 0; i < w.group_count; ++i) {
      Group& g = w.groups[i];
      if (g.state != Group::State::at_barrier || g.barrier != number) continue;
      const Op& op = code[g.pc];
      if (!b.counted && block.exited_threads != 0 && worker.launch->options->checks.barriers) {
        fail(FaultKind::barrier_not_reached, w, op, std::countr_zero(g.lanes),
             fmt::format("{} threads exited without reaching the barrier that {} wait at", block.exited_threads,
                         b.arrived));
      }
      if (op.k == 2) {
        for (u32 left = g.lanes; left; left &= left - 1) reg<u32>(w, op.dst)[std::countr_zero(left)] = b.accumulated;
      } else if (op.k >= 3) {
        u32& p = *reg<u32>(w, op.dst);
        p = b.accumulated ? p | g.lanes : p & ~g.lanes;
      }
      g.state = Group::State::ready;
      ++g.pc;
    }
  }
  b = Barrier{};
  ++worker.counts.barrier_releases;
  if (++block.epoch == last_epoch) {
    std::fill(block.last_write.begin(), block.last_write.end(), 0);
    std::fill(block.last_read.begin(), block.last_read.end(), 0);
    block.epoch = 1;
  }
}

void prepare_block(Block& b, Worker& worker) {
  const LaunchState& launch = *worker.launch;
  const Kernel& kernel = *worker.kernel;
  const u32 threads = static_cast<u32>(launch.block.count()), warps = (threads + 31) / 32;
  b.worker = &worker;
  b.shared_bytes = launch.shared_bytes;
  b.warps.resize(warps);
  const std::size_t register_bytes = (kernel.register_bytes + 63) / 64 * 64,
                    stride = (kernel.local_bytes + 15) / 16 * 16;
  u8* registers = aligned(b.register_storage, register_bytes * warps, 0);
  u8* local = aligned(b.local_storage, stride * warps * 32, 0xff);
  b.shared = aligned(b.shared_storage, b.shared_bytes, 0xff);
  if (worker.track_writes) b.shared_written.resize(b.shared_bytes + 16);
  if (worker.race) {
    b.last_write.resize(b.shared_bytes / kernel.shared_granule + 16);
    b.last_read.resize(b.last_write.size());
  }
  for (u32 i = 0; i < warps; ++i) {
    Warp& w = b.warps[i];
    w.block = &b;
    w.worker = &worker;
    w.index = i;
    w.registers = registers + register_bytes * i;
    w.local = local + stride * 32 * i;
    w.local_stride = static_cast<u32>(stride);
    const u32 lanes = std::min(32u, threads - i * 32);
    w.existing = lanes == 32 ? all_lanes : (1u << lanes) - 1;
    for (const ConstantRegister& c : launch.constants) {
      for (int lane = 0; lane < 32; ++lane) write_lane(w, c.offset, c.bytes, lane, c.value);
    }
    for (const SpecialRegister& s : kernel.specials) fill_special(w, s);
  }
}

void start_block(Block& b, u64 linear) {
  const LaunchState& launch = *b.worker->launch;
  b.linear = linear;
  b.index = {static_cast<u32>(linear % launch.grid.x), static_cast<u32>(linear / launch.grid.x % launch.grid.y),
             static_cast<u32>(linear / launch.grid.x / launch.grid.y)};
  b.busy = true;
  b.live_threads = static_cast<u32>(launch.block.count());
  b.exited_threads = 0;
  std::memset(b.shared, 0xff, b.shared_bytes);
  std::fill(b.shared_written.begin(), b.shared_written.end(), u8{0});
  for (Barrier& barrier : b.barriers) barrier = Barrier{};
  if (++b.epoch >= last_epoch - 1) {
    std::fill(b.last_write.begin(), b.last_write.end(), 0);
    std::fill(b.last_read.begin(), b.last_read.end(), 0);
    b.epoch = 1;
  }
  for (Warp& w : b.warps) {
    w.live = w.existing;
    w.carry = 0;
    w.take_turns = false;
    w.pending.clear();
    std::fill(std::begin(w.committed), std::end(w.committed), 0u);
    w.group_count = 1;
    w.groups[0] = {Group::State::ready, 0, w.existing, 0, 0};
    for (const SpecialRegister& s : b.worker->kernel->specials) {
      if (changes_per_block(s.which)) fill_special(w, s);
    }
  }
}

bool step_block(Block& b) {
  Worker& worker = *b.worker;
  LaunchState& launch = *worker.launch;
  const std::size_t n = b.warps.size();
  u32 order[32];
  std::iota(order, order + n, 0u);
  if (launch.options->order == Order::reverse) std::reverse(order, order + n);
  if (launch.options->order == Order::random) std::shuffle(order, order + n, worker.random);
  bool alive = false, moved = false;
  for (std::size_t i = 0; i < n; ++i) {
    Warp& w = b.warps[order[i]];
    if (w.group_count == 0) continue;
    const Turn turn = run_warp(w, std::min(launch.options->turn, worker.step_limit + 1));
    alive |= turn != Turn::finished;
    moved |= turn != Turn::waiting;
  }
  if (alive && !moved) {
    for (const Warp& w : b.warps) {  // a barrier may have let earlier warps go after their turn
      for (int i = 0; i < w.group_count; ++i) moved |= w.groups[i].state == Group::State::ready;
    }
    if (!moved) report_deadlock(b);
  }
  if (!alive) {
    b.busy = false;
    if (worker.count) count_unique_shared(b);
  }
  return alive;
}

void run_worker(Worker& worker) {
  LaunchState& launch = *worker.launch;
  const u64 blocks = launch.grid.count();
  const u64 resident =
      launch.options->cooperative ? blocks : std::min<u64>(std::max(1u, launch.options->resident_blocks), blocks);
  std::deque<Block> slots(resident);
  for (Block& b : slots) prepare_block(b, worker);
  bool more = true, busy = true;
  u64 reported = 0;
  while (more || busy) {
    busy = false;
    for (Block& b : slots) {
      if (launch.stop) return;
      if (!b.busy) {
        if (!more) continue;
        // Relaxed: blocks are not ordered by being handed out, and the thread sanitizer is to see those that race.
        const u64 next = launch.next_block.fetch_add(1, std::memory_order_relaxed);
        if (next >= blocks) {
          more = false;
          continue;
        }
        start_block(b, launch.block_order.empty() ? next : launch.block_order[next]);
      }
      const bool unfinished = step_block(b);
      busy = true;
      if (!unfinished && blocks > 1 && worker.steps - reported < launch.options->turn) continue;
      const u64 total =
          launch.steps.fetch_add(worker.steps - reported, std::memory_order_relaxed) + worker.steps - reported;
      reported = worker.steps;
      if (total <= worker.step_limit) continue;
      const Warp& w = b.warps[0];
      const u32 pc = w.group_count ? w.groups[0].pc : static_cast<u32>(worker.kernel->code.size() - 1);
      fail(FaultKind::step_limit, w, worker.kernel->code[pc], 0,
           fmt::format("more than {} warp instructions", worker.step_limit));
    }
  }
}

}  // namespace ridge::ptx
