// Hazards on shared memory: two warps touch the same bytes in one barrier interval, and one of them writes.
//
// Every granule has two tags, epoch << 8 | flags | warp, of its last write and its last read. A tag of an older epoch
// means nothing. A barrier of the block starts a new epoch.
#include <fmt/format.h>

#include <bit>

#include "kernels/ptx/machine/access.hpp"

namespace ridge::ptx {
namespace {

constexpr u32 warp_bits = 31, by_atomic = 32, by_several = 64;

struct Interval {
  u32 epoch, me;
  u32 tag() const { return epoch << 8 | me; }
  bool foreign_write(u32 tag, AccessKind kind) const {
    return tag >> 8 == epoch && (tag & warp_bits) != me && !(kind == AccessKind::atomic && (tag & by_atomic));
  }
  bool foreign_read(u32 tag) const { return tag >> 8 == epoch && ((tag & by_several) || (tag & warp_bits) != me); }
};

[[noreturn]] void report(Warp& w, const Op& op, int lane, u64 offset, unsigned bytes, const char* hazard, u32 other) {
  FaultPlace place;
  place.address = offset;
  place.bytes = bytes;
  place.space = "shared";
  place.allocation = "shared memory";
  fail(FaultKind::race, w, op, lane,
       fmt::format("{} at offset {} of shared memory: warp {} and warp {} without a barrier between them", hazard,
                   offset, other & warp_bits, w.index),
       place);
}

void note(Warp& w, const Op& op, int lane, u64 offset, unsigned bytes, AccessKind kind, const Interval& now) {
  Block& block = *w.block;
  const u32 granule = w.worker->kernel->shared_granule;
  for (u64 g = offset / granule; g <= (offset + bytes - 1) / granule; ++g) {
    u32& write = block.last_write[g];
    u32& read = block.last_read[g];
    if (now.foreign_write(write, kind)) {
      report(w, op, lane, g * granule, bytes, kind == AccessKind::load ? "read after write" : "write after write",
             write);
    }
    if (kind == AccessKind::load) {
      const bool again = read >> 8 == now.epoch;
      read = now.tag() | (again && ((read & by_several) || (read & warp_bits) != now.me) ? by_several : 0);
      continue;
    }
    if (now.foreign_read(read)) report(w, op, lane, g * granule, bytes, "write after read", read);
    write = now.tag() | (kind == AccessKind::atomic ? by_atomic : 0);
  }
}

/// A run of granules at once; false when one of them needs the careful way.
bool note_run(Block& block, u64 first, u64 last, AccessKind kind, const Interval& now) {
  u32* write = block.last_write.data();
  u32* read = block.last_read.data();
  u32 bad = 0;
  if (kind == AccessKind::load) {
    for (u64 g = first; g <= last; ++g) {
      bad |= (write[g] >> 8 == now.epoch) & ((write[g] & warp_bits) != now.me);
      bad |= (read[g] >> 8 == now.epoch) & (read[g] != now.tag());
    }
    if (bad) return false;
    for (u64 g = first; g <= last; ++g) read[g] = now.tag();
    return true;
  }
  for (u64 g = first; g <= last; ++g) {
    bad |= (write[g] >> 8 == now.epoch) & ((write[g] & warp_bits) != now.me);
    bad |= (read[g] >> 8 == now.epoch) & (read[g] != now.tag());
  }
  if (bad) return false;
  for (u64 g = first; g <= last; ++g) write[g] = now.tag();
  return true;
}

}  // namespace

void observe_race(Warp& w, const Op& op, u32 lanes, const u64* offset, unsigned bytes, AccessKind kind) {
  const Interval now{w.block->epoch, w.index};
  const Pattern pattern = pattern_of(lanes, offset, bytes);
  const int first = std::countr_zero(lanes);
  if (pattern != Pattern::scattered && kind != AccessKind::atomic) {
    const u32 granule = w.worker->kernel->shared_granule;
    const u64 span =
        pattern == Pattern::same ? bytes : static_cast<u64>(bytes) * static_cast<u64>(std::popcount(lanes));
    if (note_run(*w.block, offset[first] / granule, (offset[first] + span - 1) / granule, kind, now)) return;
    if (pattern == Pattern::same) lanes = 1u << first;
  }
  for (u32 left = lanes; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    note(w, op, lane, offset[lane], bytes, kind, now);
  }
}

}  // namespace ridge::ptx
