// Hazards on shared memory: two warps touch the same bytes in one barrier interval, and one of them writes.
//
// Every granule has two tags, epoch << 8 | flags | warp, of its last write and its last read. A tag of an older epoch
// means nothing. A barrier of the block starts a new epoch. Runs of granules are noted by a function of the instruction
// set in use (lanes/race_lanes.cpp); what it does not accept, and scattered accesses, are noted here one by one.
#include <fmt/format.h>

#include <bit>

#include "kernels/ptx/machine/access.hpp"

namespace ridge::ptx {
namespace {

using race::by_atomic;
using race::by_several;
using race::warp_bits;

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

}  // namespace

void observe_race(const Request& r) {
  Block& block = *r.w.block;
  const Worker& worker = *r.w.worker;
  const Interval now{block.epoch, r.w.index};
  u32 lanes = r.lanes;
  if (r.is_run() && r.kind != AccessKind::atomic) {
    const u32 granule = worker.kernel->shared_granule;
    const u64 from = r.start() / granule, to = (r.start() + r.span() - 1) / granule + 1;
    if (worker.note_granules(block.last_write.data() + from, block.last_read.data() + from, to - from,
                             r.kind == AccessKind::store, now.tag())) {
      return;
    }
    if (r.pattern == Pattern::same) lanes = 1u << r.first;
  }
  for (u32 left = lanes; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    note(r.w, r.op, lane, r.address[lane], r.bytes, r.kind, now);
  }
}

}  // namespace ridge::ptx
