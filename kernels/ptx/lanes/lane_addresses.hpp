// The addresses of a warp's access: what they are, how they lie to each other, and whether they are in the cached
// range.
#pragma once

#include "kernels/ptx/lanes/lanes.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {

RIDGE_PTX_INLINE void addresses(Warp& w, const Access& x, u64* a) {
  const u64 offset = static_cast<u64>(x.offset);
  if (x.base == no_register) {
    RIDGE_PTX_LOOP
    for (int i = 0; i < 32; ++i) a[i] = offset;
  } else if (x.wide_base) {
    const u64* r = lanes_of<u64>(w, static_cast<u32>(x.base));
    RIDGE_PTX_LOOP
    for (int i = 0; i < 32; ++i) a[i] = r[i] + offset;
  } else {
    const u32* r = lanes_of<u32>(w, static_cast<u32>(x.base));
    const u32 narrow_offset = static_cast<u32>(offset);
    RIDGE_PTX_LOOP
    for (int i = 0; i < 32; ++i) a[i] = static_cast<u32>(r[i] + narrow_offset);
  }
}

/// pattern_of() for a full warp.
RIDGE_PTX_INLINE Pattern arrangement(const u64* a, u64 bytes) {
  u64 apart = 0, uneven = 0;
  RIDGE_PTX_LOOP
  for (u64 i = 0; i < 32; ++i) {
    apart |= a[i] ^ a[0];
    uneven |= a[i] ^ (a[0] + i * bytes);
  }
  return uneven == 0 ? Pattern::consecutive : apart == 0 ? Pattern::same : Pattern::scattered;
}

/// All active addresses lie in [low, high) and are aligned.
RIDGE_PTX_INLINE bool all_inside(const u64* a, u32 lanes, u64 low, u64 high, u64 bytes) {
  if (high - low < bytes) return false;
  const u64 room = high - low - bytes;
  u64 bad = 0;
  if (lanes == all_lanes) {
    RIDGE_PTX_LOOP
    for (int i = 0; i < 32; ++i) bad |= (a[i] - low > room ? 1 : 0) | (a[i] & (bytes - 1));
  } else {
    RIDGE_PTX_LOOP
    for (int i = 0; i < 32; ++i) {
      const u64 wrong = (a[i] - low > room ? 1 : 0) | (a[i] & (bytes - 1));
      bad |= lanes & lane_bit[i] ? wrong : 0;
    }
  }
  return bad == 0;
}

struct Range {
  u64 low, high;
  u64 delta;  ///< host address = device address + delta, modulo 2^64: integers, for no such pointer exists in between
  [[nodiscard]] u8* at(u64 address) const {
    return reinterpret_cast<u8*>(static_cast<std::uintptr_t>(address + delta));
  }
};

template <Space S>
RIDGE_PTX_INLINE bool cached(Warp& w, const Access& x, Range& range, bool write) {
  if constexpr (S == Space::shared) {
    range = {0, w.block->shared_bytes, reinterpret_cast<std::uintptr_t>(w.block->shared)};
    return true;
  } else if constexpr (S == Space::global) {
    const Window& window = w.worker->windows[x.slot];
    range = {window.low, window.high, static_cast<u64>(window.delta)};
    return !write || window.writable;
  } else {
    return false;
  }
}

template <class E>
RIDGE_PTX_INLINE E fetch(const u8* p) {
  E e;
  __builtin_memcpy(&e, p, sizeof e);
  return e;
}
template <class E>
RIDGE_PTX_INLINE void deposit(u8* p, E e) {
  __builtin_memcpy(p, &e, sizeof e);
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
