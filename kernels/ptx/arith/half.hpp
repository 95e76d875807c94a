// The 16-bit floating types as lane loops use them: conversions without branches, arithmetic rounded once.
#pragma once

#include "kernels/ptx/arith/round32.hpp"

namespace ridge::ptx {

struct f16 {
  u16 v;
};
struct bf16 {
  u16 v;
};
template <class H>
struct pair {
  H lo, hi;
};

RIDGE_PTX_INLINE float to_float(f16 h) {
  const u32 sign = static_cast<u32>(h.v & 0x8000u) << 16, magnitude = static_cast<u32>(h.v & 0x7fffu) << 13;
  const u32 normal = magnitude + (112u << 23);
  const u32 special = normal + (112u << 23);                                         // exponent 31 becomes 255
  const u32 subnormal = bits(as_float(normal + (1u << 23)) - as_float(113u << 23));  // renormalised by a subtraction
  const u32 exponent = magnitude & (31u << 23);
  return as_float(sign | (exponent == (31u << 23) ? special : exponent == 0 ? subnormal : normal));
}
RIDGE_PTX_INLINE float to_float(bf16 h) {
  return as_float(static_cast<u32>(h.v) << 16);
}

/// Nearest, ties to even; a NaN becomes 0x7fff as on the GPU.
RIDGE_PTX_INLINE u16 f16_bits(float f) {
  const u32 sign = bits(f) >> 16 & 0x8000u, u = bits(f) & 0x7fffffffu;
  const u32 special = u > 0x7f800000u ? 0x7fffu : 0x7c00u;
  const u32 subnormal = bits(as_float(u) + as_float(126u << 23)) - (126u << 23);  // the addition rounds at 2^-24
  const u32 normal = (u - (112u << 23) + 0xfffu + (u >> 13 & 1u)) >> 13;
  const u32 h = u >= 0x47800000u ? special : u < (113u << 23) ? subnormal : normal;
  return static_cast<u16>(u > 0x7f800000u ? h : sign | h);
}
RIDGE_PTX_INLINE u16 bf16_bits(float f) {
  const u32 b = bits(f);
  const u32 rounded_bits = (b + 0x7fffu + (b >> 16 & 1u)) >> 16;
  return static_cast<u16>((b & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded_bits);
}
template <class H>
RIDGE_PTX_INLINE H from_float(float f);
template <>
RIDGE_PTX_INLINE f16 from_float<f16>(float f) {
  return {f16_bits(f)};
}
template <>
RIDGE_PTX_INLINE bf16 from_float<bf16>(float f) {
  return {bf16_bits(f)};
}

/// The float nearest to x in the direction of zero, with its last bit set when that was inexact ("round to odd"):
/// rounding it again to a much shorter format gives what rounding x once would have given.
RIDGE_PTX_INLINE float to_odd(Exact x) {
  const float f = static_cast<float>(x.value);
  const double d = f;
  const bool inexact = (d != x.value) | ((x.error != 0) & (x.error == x.error));
  const bool positive = bits(f) >> 31 == 0;
  const bool above = (d > x.value) | ((d == x.value) & (x.error < 0));
  const bool below = (d < x.value) | ((d == x.value) & (x.error > 0));
  const u32 toward_zero = bits(f) - ((positive ? above : below) ? 1u : 0u);
  return as_float((inexact & (x.value == x.value)) ? toward_zero | 1u : bits(f));
}

template <class H>
RIDGE_PTX_INLINE H half_add(H a, H b) {
  return from_float<H>(to_float(a) + to_float(b));
}
template <class H>
RIDGE_PTX_INLINE H half_sub(H a, H b) {
  return from_float<H>(to_float(a) - to_float(b));
}
template <class H>
RIDGE_PTX_INLINE H half_mul(H a, H b) {
  return from_float<H>(to_odd({static_cast<double>(to_float(a)) * to_float(b), 0}));
}
template <class H>
RIDGE_PTX_INLINE H half_fma(H a, H b, H c) {
  return from_float<H>(to_odd(exact_sum(static_cast<double>(to_float(a)) * to_float(b), to_float(c))));
}

}  // namespace ridge::ptx
