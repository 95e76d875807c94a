// Loops over the 32 lanes of a warp, in the namespace of the instruction set they are compiled for.
//
// Everything here is inlined or lives in that namespace: a function shared between sets could be compiled for one
// processor and called on another.
#pragma once

#include <cstring>
#include <type_traits>

#include "kernels/ptx/arith/half.hpp"
#include "kernels/ptx/arith/integer.hpp"
#include "kernels/ptx/lanes/handlers.hpp"

#ifndef RIDGE_PTX_ISA
#define RIDGE_PTX_ISA base
#endif

#if defined(__clang__)
#define RIDGE_PTX_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define RIDGE_PTX_LOOP _Pragma("GCC ivdep")
#endif

namespace ridge::ptx::RIDGE_PTX_ISA {

alignas(64) constexpr u32 lane_bit[32] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

template <class T>
RIDGE_PTX_INLINE T* lanes_of(Warp& w, u32 offset) {
  return static_cast<T*>(__builtin_assume_aligned(w.registers + offset, 64));
}

/// d[i] = t[i] in the active lanes.
template <class D>
RIDGE_PTX_INLINE void blend(D* d, const D* t, u32 lanes) {
  using Bits = std::conditional_t<sizeof(D) == 8, u64, std::conditional_t<sizeof(D) == 4, u32, u16>>;
  Bits* to = reinterpret_cast<Bits*>(d);
  const Bits* from = reinterpret_cast<const Bits*>(t);
  RIDGE_PTX_LOOP
  for (int i = 0; i < 32; ++i) to[i] = lanes & lane_bit[i] ? from[i] : to[i];
}

/// d[i] = f(i) in the active lanes; f is evaluated in all of them and must have no effects.
template <class D, class F>
RIDGE_PTX_INLINE void put(D* d, u32 lanes, F f) {
  if (lanes == all_lanes) {
    RIDGE_PTX_LOOP
    for (int i = 0; i < 32; ++i) d[i] = f(i);
    return;
  }
  alignas(64) D t[32];
  RIDGE_PTX_LOOP
  for (int i = 0; i < 32; ++i) t[i] = f(i);
  blend(d, t, lanes);
}

/// The 32 values of f, one bit each.
template <class F>
RIDGE_PTX_INLINE u32 gather_bits(F f) {
  alignas(64) u8 flag[32];
  RIDGE_PTX_LOOP
  for (int i = 0; i < 32; ++i) flag[i] = f(i) ? 1 : 0;
  u32 out = 0;
  for (int q = 0; q < 4; ++q) {  // a multiplication collects the low bits of eight bytes in the top byte
    u64 eight;
    __builtin_memcpy(&eight, flag + 8 * q, 8);
    out |= static_cast<u32>((eight * 0x0102040810204080ull) >> 56) << (8 * q);
  }
  return out;
}

template <class F, class T, class D = T>
void run_unary(Warp& w, const Op& op, u32 lanes) {
  const T* a = lanes_of<T>(w, op.a);
  put(
      lanes_of<D>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) { return static_cast<D>(F::f(a[i])); });
}
template <class F, class T, class D = T>
void run_binary(Warp& w, const Op& op, u32 lanes) {
  const T *a = lanes_of<T>(w, op.a), *b = lanes_of<T>(w, op.b);
  put(
      lanes_of<D>(w, op.dst),
      lanes, [=](int i) __attribute__((always_inline)) { return static_cast<D>(F::f(a[i], b[i])); });
}
template <class F, class T, class D = T>
void run_ternary(Warp& w, const Op& op, u32 lanes) {
  const T *a = lanes_of<T>(w, op.a), *b = lanes_of<T>(w, op.b);
  const D* c = lanes_of<D>(w, op.c);
  put(
      lanes_of<D>(w, op.dst),
      lanes, [=](int i) __attribute__((always_inline)) { return static_cast<D>(F::f(a[i], b[i], c[i])); });
}

// One per source file; the table of this instruction set is made of them.
Handler float_unary(Unary, Type);
Handler integer_unary(Unary, Type);
Handler special_unary(Unary, Type);
Handler half_unary(Unary, Type);
Handler float_binary(Binary, Type, Rounding);
Handler integer_binary(Binary, Type);
Handler half_binary(Binary, Type);
Handler float_ternary(Ternary, Type, Rounding);
Handler integer_ternary(Ternary, Type);
Handler half_ternary(Ternary, Type);
Handler bit_ternary(Ternary, Type);
Handler compare_setp(Compare, Type);
Handler compare_set(Compare, Type);
Handler select_of(unsigned bytes);
Handler convert_of(Type to, Type from);
Handler convert_pair_of(Type to);
Handler pack_of(unsigned element_bytes);
Handler unpack_of(unsigned element_bytes);
Handler load_of(Space, unsigned element_bytes, unsigned register_bytes, bool is_signed, bool ordered);
Handler store_of(Space, unsigned element_bytes, unsigned register_bytes, bool ordered);
Handler load_parameter_of(unsigned element_bytes, unsigned register_bytes, bool is_signed);
void multiply_matrices(Warp& w, const Op& op, u32 lanes);
bool note_granules(u32* last_write, u32* last_read, u64 n, bool store, u32 tag);
const Handlers& table();

}  // namespace ridge::ptx::RIDGE_PTX_ISA
