// The byte permutation `prmt` in its seven modes, and `fns`.
#include "kernels/ptx/arith/integer.hpp"

namespace ridge::ptx {
namespace {

u32 selected(u32 mode_bits, u32 k, Permute mode) {
  const u32 q = mode_bits & 3;
  switch (mode) {
    case Permute::selectors:
      return mode_bits >> (4 * k) & 7;
    case Permute::forward4:
      return (q + k) & 7;
    case Permute::backward4:
      return (q - k) & 7;
    case Permute::replicate8:
      return q;
    case Permute::clamp_left:
      return k > q ? k : q;
    case Permute::clamp_right:
      return k < q ? k : q;
    case Permute::replicate16:
      return (q & 1) * 2 + (k & 1);
  }
  return 0;
}

}  // namespace

u32 permute_bytes(u32 a, u32 b, u32 c, Permute mode) {
  const u64 v = static_cast<u64>(b) << 32 | a;
  u32 r = 0;
  for (u32 k = 0; k < 4; ++k) {
    u32 byte = static_cast<u32>(v >> (8 * selected(c, k, mode))) & 0xff;
    if (mode == Permute::selectors && (c >> (4 * k) & 8)) byte = byte & 0x80 ? 0xff : 0;
    r |= byte << (8 * k);
  }
  return r;
}

u32 find_nth_set(u32 a, u32 base, s32 offset) {
  if (base > 31) return ~0u;
  if (offset == 0) return a >> base & 1 ? base : ~0u;
  const s32 step = offset > 0 ? 1 : -1;
  s64 left = offset > 0 ? offset : -static_cast<s64>(offset);
  for (s32 at = static_cast<s32>(base); at >= 0 && at < 32; at += step) {
    if ((a >> at & 1) && --left == 0) return static_cast<u32>(at);
  }
  return ~0u;
}

}  // namespace ridge::ptx
