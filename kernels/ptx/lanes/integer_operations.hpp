// Integer arithmetic and logic of 16, 32 and 64 bits, one operation a type with a function of one lane.
#pragma once

#include "kernels/ptx/lanes/lanes.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {

struct Mov {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return a;
  }
};
struct Neg {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return static_cast<T>(0 - a);
  }
};
struct Not {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return a == 0 ? T{1} : T{0};
  }
};
struct Abs {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return static_cast<T>(a < 0 ? unsigned_of<T>{0} - static_cast<unsigned_of<T>>(a) : static_cast<unsigned_of<T>>(a));
  }
};
struct Popc {
  template <class T>
  static RIDGE_PTX_INLINE u32 f(T a) {
    return static_cast<u32>(__builtin_popcountll(a));
  }
};
struct Clz {
  template <class T>
  static RIDGE_PTX_INLINE u32 f(T a) {
    return a == 0 ? width<T> : static_cast<u32>(__builtin_clzll(a)) - (64 - width<T>);
  }
};
struct Brev {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a) {
    return bit_reverse(a);
  }
};
struct Bfind {
  template <class T>
  static RIDGE_PTX_INLINE u32 f(T a) {
    return find_top_bit(a, false);
  }
};
struct BfindShift {
  template <class T>
  static RIDGE_PTX_INLINE u32 f(T a) {
    return find_top_bit(a, true);
  }
};

struct Add {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct Sub {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return static_cast<T>(a - b);
  }
};
struct Mul {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return static_cast<T>(a * b);
  }
};
struct MulHi {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return mul_hi(a, b);
  }
};
struct MulWide {
  template <class T>
  static RIDGE_PTX_INLINE wide<T> f(T a, T b) {
    return static_cast<wide<T>>(a) * static_cast<wide<T>>(b);
  }
};
struct Div {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return int_div(a, b);
  }
};
struct Rem {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return int_rem(a, b);
  }
};
struct Min {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return a < b ? a : b;
  }
};
struct Max {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return a > b ? a : b;
  }
};
struct And {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct AddSat {
  static RIDGE_PTX_INLINE s32 f(s32 a, s32 b) { return clamped<s32>(s64{a} + b, -2147483648ll, 2147483647ll); }
};
struct SubSat {
  static RIDGE_PTX_INLINE s32 f(s32 a, s32 b) { return clamped<s32>(s64{a} - b, -2147483648ll, 2147483647ll); }
};
struct Mul24 {
  static RIDGE_PTX_INLINE u32 f(u32 a, u32 b) { return (a & 0xffffffu) * (b & 0xffffffu); }
  static RIDGE_PTX_INLINE s32 f(s32 a, s32 b) {
    return static_cast<s32>(static_cast<u32>(a) << 8) / 256 * (static_cast<s32>(static_cast<u32>(b) << 8) / 256);
  }
};
struct Mad {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b, T c) {
    return static_cast<T>(Mul::f(a, b) + c);
  }
};
struct MadHi {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b, T c) {
    return static_cast<T>(mul_hi(a, b) + c);
  }
};
struct MadWide {
  template <class T>
  static RIDGE_PTX_INLINE wide<T> f(T a, T b, wide<T> c) {
    return static_cast<wide<T>>(MulWide::f(a, b) + c);
  }
};
struct Sad {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b, T c) {
    return static_cast<T>(c + (a < b ? b - a : a - b));
  }
};
struct Mad24 {
  template <class T>
  static RIDGE_PTX_INLINE T f(T a, T b, T c) {
    return static_cast<T>(Mul24::f(a, b) + c);
  }
};
template <class F>
struct Both16 {
  template <class T>
  static RIDGE_PTX_INLINE u32 both(u32 a, u32 b) {
    const auto lo = F::f(static_cast<T>(a), static_cast<T>(b)),
               hi = F::f(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
    return static_cast<u32>(static_cast<u16>(hi)) << 16 | static_cast<u16>(lo);
  }
};
template <class F>
struct BothUnsigned {
  static RIDGE_PTX_INLINE u32 f(u32 a, u32 b) { return Both16<F>::template both<u16>(a, b); }
};
template <class F>
struct BothSigned {
  static RIDGE_PTX_INLINE u32 f(u32 a, u32 b) { return Both16<F>::template both<s16>(a, b); }
};

}  // namespace ridge::ptx::RIDGE_PTX_ISA
