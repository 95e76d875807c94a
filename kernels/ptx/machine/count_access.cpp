// Traffic of one request: bytes, sectors and lines of global memory, wavefronts and bank conflicts of shared memory.
#include <algorithm>
#include <bit>
#include <cstring>

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

void touch(u8* map, u64 size, u32 lanes, const u64* offset, u64 base, unsigned bytes, Pattern pattern) {
  const int first = std::countr_zero(lanes);
  if (pattern != Pattern::scattered) {
    const u64 span =
        pattern == Pattern::same ? bytes : static_cast<u64>(bytes) * static_cast<u64>(std::popcount(lanes));
    if (offset[first] - base < size && span <= size - (offset[first] - base)) {
      std::memset(map + (offset[first] - base), 1, span);
      return;
    }
  }
  for (u32 left = lanes; left; left &= left - 1) {
    const u64 at = offset[std::countr_zero(left)] - base;
    if (at < size && bytes <= size - at) std::memset(map + at, 1, bytes);
  }
}

}  // namespace

void count_access(Warp& w, const Access& x, Space space, u32 lanes, const u64* address, unsigned bytes,
                  AccessKind kind) {
  Worker& worker = *w.worker;
  Counts& counts = worker.counts;
  SpaceTraffic& of = space == Space::shared     ? counts.shared
                     : space == Space::local    ? counts.local
                     : space == Space::constant ? counts.constant
                                                : counts.global;
  Traffic& t = kind == AccessKind::atomic ? (space == Space::shared ? counts.atomic_shared : counts.atomic_global)
               : kind == AccessKind::load ? of.load
                                          : of.store;
  const u64 active = static_cast<u64>(std::popcount(lanes));
  t.requests += 1;
  t.bytes += active * bytes;
  if (space == Space::local) return;
  const Pattern pattern = pattern_of(lanes, address, bytes);
  const u64 first = address[std::countr_zero(lanes)];
  if (space == Space::shared) {
    const bool simple = lanes == all_lanes && pattern != Pattern::scattered && bytes % 4 == 0 && first % bytes == 0;
    const u64 groups = bytes <= 4 ? 1 : bytes == 8 ? 2 : 4;
    const Passes p = simple ? Passes{groups, groups} : passes(lanes, address, bytes);
    t.wavefronts += p.wavefronts;
    t.conflicts += p.wavefronts - p.ideal;
    Block& block = *w.block;
    if (kind != AccessKind::store)
      touch(block.shared_loaded.data(), block.shared_bytes, lanes, address, 0, bytes, pattern);
    if (kind != AccessKind::load)
      touch(block.shared_stored.data(), block.shared_bytes, lanes, address, 0, bytes, pattern);
    return;
  }
  if (pattern == Pattern::scattered) {
    t.sectors += pieces(lanes, address, bytes, 5);
    t.lines += pieces(lanes, address, bytes, 7);
  } else {
    const u64 span = pattern == Pattern::same ? bytes : bytes * active;
    t.sectors += pieces_of_run(first, span, 5);
    t.lines += pieces_of_run(first, span, 7);
  }
  const Window& window = worker.windows[x.slot];
  if (!window.loaded) return;
  const u64 size = window.high - window.low;
  if (kind != AccessKind::store) touch(window.loaded, size, lanes, address, window.low, bytes, pattern);
  if (kind != AccessKind::load) touch(window.stored, size, lanes, address, window.low, bytes, pattern);
}

}  // namespace ridge::ptx
