// Notes who touches a run of shared-memory granules, many granules at a time. check_race.cpp says what the tags mean.
#include "kernels/ptx/lanes/lanes.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {
namespace {

/// 1 where a tag that differs from ours by `apart` is of this epoch, and of another warp in the bits of `mask`.
RIDGE_PTX_INLINE u32 foreign(u32 apart, u32 mask) {
  return (apart < 256 ? 1u : 0u) & ((apart & mask) != 0 ? 1u : 0u);
}

}  // namespace

bool note_granules(u32* last_write, u32* last_read, u64 n, bool store, u32 tag) {
  constexpr u32 other_readers = race::warp_bits | race::by_several;
  u32 bad = 0;
  if (!store) {
    RIDGE_PTX_LOOP
    for (u64 i = 0; i < n; ++i) {
      bad |= foreign(last_write[i] ^ tag, race::warp_bits);
      last_read[i] = tag | (foreign(last_read[i] ^ tag, other_readers) ? race::by_several : 0);
    }
    return bad == 0;
  }
  RIDGE_PTX_LOOP
  for (u64 i = 0; i < n; ++i)
    bad |= foreign(last_write[i] ^ tag, race::warp_bits) | foreign(last_read[i] ^ tag, other_readers);
  if (bad) return false;
  RIDGE_PTX_LOOP
  for (u64 i = 0; i < n; ++i) last_write[i] = tag;
  return true;
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
