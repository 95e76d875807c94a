// Traffic of one request: bytes, sectors and lines of global memory, wavefronts and bank conflicts of shared memory.
#include <algorithm>
#include <bit>

#include "kernels/ptx/machine/access.hpp"

namespace ridge::ptx {
namespace {

/// Distinct aligned pieces of 1 << shift bytes that the lanes touch.
u64 pieces(u32 lanes, const u64* address, unsigned bytes, unsigned shift) {
  u64 piece[64];
  int n = 0;
  bool sorted = true;
  for (u32 left = lanes; left; left &= left - 1) {
    const u64 a = address[std::countr_zero(left)];
    for (u64 p = a >> shift; p <= (a + bytes - 1) >> shift && n < 64; ++p) {
      if (n > 0 && p == piece[n - 1]) continue;
      sorted &= n == 0 || p > piece[n - 1];
      piece[n++] = p;
    }
  }
  if (sorted) return static_cast<u64>(n);
  std::sort(piece, piece + n);
  return static_cast<u64>(std::unique(piece, piece + n) - piece);
}

u64 pieces_of_run(u64 first, u64 span, unsigned shift) {
  return ((first + span - 1) >> shift) - (first >> shift) + 1;
}

struct Passes {
  u64 wavefronts = 0, ideal = 0;
};

/// 32 banks of 4 bytes. Accesses of 8 bytes go by half-warps, of 16 bytes by quarter-warps; lanes that want the same
/// word share it; a pass serves one word of each bank.
Passes passes(u32 lanes, const u64* offset, unsigned bytes) {
  const unsigned group = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  Passes out;
  for (unsigned from = 0; from < 32; from += group) {
    const u32 mask = group == 32 ? lanes : lanes & (((1u << group) - 1) << from);
    if (mask == 0) continue;
    u32 words[32][32];
    u8 used[32] = {};
    unsigned longest = 0;
    for (u32 left = mask; left; left &= left - 1) {
      const u64 a = offset[std::countr_zero(left)];
      for (unsigned k = 0; k < bytes; k += 4) {
        const u32 word = static_cast<u32>((a + k) >> 2), bank = word & 31;
        const u32 *begin = words[bank], *end = begin + used[bank];
        if (std::find(begin, end, word) != end) continue;
        words[bank][used[bank]++] = word;
        longest = std::max<unsigned>(longest, used[bank]);
      }
    }
    out.wavefronts += longest;
    out.ideal += 1;
  }
  return out;
}

/// The most lanes that meet at one address, but for the first: an atomic operation of the last waits for them.
u64 lanes_waiting(const Request& r) {
  u64 most = 0;
  for (u32 left = r.lanes; left; left &= left - 1) {
    const u64 address = r.address[std::countr_zero(left)];
    u64 here = 0;
    for (u32 other = left; other; other &= other - 1) here += r.address[std::countr_zero(other)] == address ? 1 : 0;
    most = std::max(most, here);
  }
  return most - 1;
}

void touch(ByteSet& set, const Request& r, u64 base, u64 size) {
  set.resize(size);
  if (r.is_run() && r.start() - base < size && r.span() <= size - (r.start() - base)) {
    set.add(r.start() - base, r.span());
    return;
  }
  for (u32 left = r.lanes; left; left &= left - 1) {
    const u64 at = r.address[std::countr_zero(left)] - base;
    if (at < size && r.bytes <= size - at) set.add(at, r.bytes);
  }
}

void touch(Touched& touched, const Request& r, u64 base, u64 size) {
  if (r.kind != AccessKind::store) touch(touched.loaded, r, base, size);
  if (r.kind != AccessKind::load) touch(touched.stored, r, base, size);
}

/// Lanes that are not in the range resolved last lie in other allocations.
void touch_elsewhere(const Request& r, const Window& window) {
  Request one = r;
  for (u32 left = r.lanes; left; left &= left - 1) {
    one.first = std::countr_zero(left);
    const u64 address = one.start();
    if (address - window.low < window.high - window.low) continue;
    const auto found = r.w.worker->launch->memory->find(address, r.bytes);
    if (!found) continue;
    one.lanes = 1u << one.first;
    one.pattern = Pattern::same;
    touch(r.w.worker->touched[found->address], one, found->address, found->bytes);
  }
}

void count_shared(Traffic& t, const Request& r) {
  const bool simple = r.lanes == all_lanes && r.is_run() && r.bytes % 4 == 0 && r.start() % r.bytes == 0;
  const u64 groups = r.bytes <= 4 ? 1 : r.bytes == 8 ? 2 : 4;
  const Passes p = simple ? Passes{groups, groups} : passes(r.lanes, r.address, r.bytes);
  t.wavefronts += p.wavefronts;
  if (r.kind != AccessKind::atomic) t.conflicts += p.wavefronts - p.ideal;
  touch(r.w.block->shared_touched, r, 0, r.w.block->shared_bytes);
}

void count_global(Traffic& t, const Request& r) {
  if (r.is_run()) {
    t.sectors += pieces_of_run(r.start(), r.span(), 5);
    t.lines += pieces_of_run(r.start(), r.span(), 7);
  } else {
    t.sectors += pieces(r.lanes, r.address, r.bytes, 5);
    t.lines += pieces(r.lanes, r.address, r.bytes, 7);
  }
  const Window& window = r.w.worker->windows[r.x.slot];
  if (!window.touched) return;
  window.touched->constant = r.space == Space::constant;
  touch(*window.touched, r, window.low, window.high - window.low);
  const bool all_here = r.is_run() && r.start() - window.low < window.high - window.low;
  if (!all_here) touch_elsewhere(r, window);
}

}  // namespace

void count_access(const Request& r) {
  Counts& counts = r.w.worker->counts;
  const bool shared = r.space == Space::shared;
  SpaceTraffic& of = shared                       ? counts.shared
                     : r.space == Space::local    ? counts.local
                     : r.space == Space::constant ? counts.constant
                                                  : counts.global;
  Traffic& t = r.kind == AccessKind::atomic ? (shared ? counts.atomic_shared : counts.atomic_global)
               : r.kind == AccessKind::load ? of.load
                                            : of.store;
  t.requests += 1;
  t.bytes += static_cast<u64>(std::popcount(r.lanes)) * r.bytes;
  if (r.kind == AccessKind::atomic) t.conflicts += lanes_waiting(r);
  if (r.space == Space::local) return;
  if (shared)
    count_shared(t, r);
  else
    count_global(t, r);
}

}  // namespace ridge::ptx
