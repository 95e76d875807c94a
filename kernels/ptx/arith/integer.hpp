// Integer operations with PTX's meaning where C++ has none: division by zero, high halves, bit fields, permutation.
#pragma once

#include <type_traits>

#include "kernels/ptx/arith/bits.hpp"

namespace ridge::ptx {

template <class T>
struct wide_of;
template <>
struct wide_of<u16> {
  using type = u32;
};
template <>
struct wide_of<s16> {
  using type = s32;
};
template <>
struct wide_of<u32> {
  using type = u64;
};
template <>
struct wide_of<s32> {
  using type = s64;
};
template <>
struct wide_of<u64> {
  using type = u128;
};
template <>
struct wide_of<s64> {
  using type = s128;
};
template <class T>
using wide = typename wide_of<T>::type;
template <class T>
using unsigned_of = std::make_unsigned_t<T>;
template <class T>
inline constexpr u32 width = 8 * sizeof(T);

/// The manual leaves x / 0 unspecified; GPUs give all ones.
template <class T>
RIDGE_PTX_INLINE T int_div(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if (std::is_signed_v<T> && b == static_cast<T>(-1))
    return static_cast<T>(unsigned_of<T>{0} - static_cast<unsigned_of<T>>(a));
  return static_cast<T>(a / b);
}
template <class T>
RIDGE_PTX_INLINE T int_rem(T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}
template <class T>
RIDGE_PTX_INLINE T mul_hi(T a, T b) {
  return static_cast<T>((static_cast<wide<T>>(a) * static_cast<wide<T>>(b)) >> width<T>);
}
template <class T>
RIDGE_PTX_INLINE T shift_left(T a, u32 n) {
  return n >= width<T> ? T{0} : static_cast<T>(a << (n & (width<T> - 1)));
}
template <class T>
RIDGE_PTX_INLINE T shift_right(T a, u32 n) {
  return static_cast<T>(a >> (n >= width<T> ? width<T> - 1 : n)) &
         (n >= width<T> && !std::is_signed_v<T> ? T{0} : static_cast<T>(~T{0}));
}
RIDGE_PTX_INLINE u32 funnel(u32 lo, u32 hi, u32 n, bool left, bool wrap) {
  const u32 k = wrap ? n & 31 : n > 32 ? 32 : n;
  const u64 v = static_cast<u64>(hi) << 32 | lo;
  return left ? static_cast<u32>((v << k) >> 32) : static_cast<u32>(v >> k);
}
template <class T>
RIDGE_PTX_INLINE T bit_field_extract(T a, u32 b, u32 c) {
  using U = unsigned_of<T>;
  const u32 position = b & 0xff, length = c & 0xff;
  if (length == 0) return 0;
  const U v = static_cast<U>(a);
  const u32 last = position + length - 1 < width<T> ? position + length - 1 : width<T> - 1;
  const bool sign = std::is_signed_v<T> && (v >> last & 1);
  const u32 room = position < width<T> ? width<T> - position : 0, valid = length < room ? length : room;
  const U mask = valid >= width<T> ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << valid) - 1);
  const U field = position >= width<T> ? U{0} : static_cast<U>(v >> position) & mask;
  return static_cast<T>(sign ? field | static_cast<U>(~mask) : field);
}
template <class T>
RIDGE_PTX_INLINE T bit_field_insert(T a, T b, u32 c, u32 d) {
  const u32 position = c & 0xff, length = d & 0xff;
  if (position >= width<T> || length == 0) return b;
  const T mask =
      static_cast<T>((length >= width<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1)) << position);
  return static_cast<T>((b & ~mask) | (static_cast<T>(a << position) & mask));
}
/// Bit position of the most significant non-sign bit, or all ones; from the top when `shift_amount`.
template <class T>
RIDGE_PTX_INLINE u32 find_top_bit(T a, bool shift_amount) {
  using U = unsigned_of<T>;
  U v = static_cast<U>(a);
  if (std::is_signed_v<T> && a < 0) v = static_cast<U>(~v);
  if (v == 0) return ~0u;
  const u32 zeros = static_cast<u32>(sizeof(T) == 8 ? __builtin_clzll(v) : __builtin_clz(static_cast<u32>(v)));
  return shift_amount ? zeros : width<T> - 1 - zeros;
}
template <class T>
RIDGE_PTX_INLINE T bit_reverse(T a) {
  T r = 0;
  for (u32 i = 0; i < width<T>; ++i) r = static_cast<T>(r | (static_cast<T>(a >> i & 1) << (width<T> - 1 - i)));
  return r;
}
enum class Permute : u8 { selectors, forward4, backward4, replicate8, clamp_left, clamp_right, replicate16 };
u32 permute_bytes(u32 a, u32 b, u32 c, Permute mode);
/// Lane-mask search of `fns`: the |offset|-th set bit of a from `base`, upwards or downwards; all ones if none.
u32 find_nth_set(u32 a, u32 base, s32 offset);
template <class T>
RIDGE_PTX_INLINE T clamped(s64 v, s64 low, s64 high) {
  return static_cast<T>(v < low ? low : v > high ? high : v);
}

}  // namespace ridge::ptx
