// Single-precision arithmetic rounded to zero, down or up: the exact result is held as a double plus its error.
//
// A product of two floats is exact in a double, and the error of a double sum is itself a double (Knuth's two-sum), so
// the rounded float can be compared with the exact result and moved by one step. Quotients and square roots of floats
// are never so close to a float that their nearest double equals it without being exact.
#pragma once

#include "kernels/ptx/arith/bits.hpp"

namespace ridge::ptx {

struct Exact {
  double value;  ///< nearest double
  double error;  ///< exact result − value
};

RIDGE_PTX_INLINE Exact exact_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

/// The neighbour of f below it; infinity steps to the largest finite number.
RIDGE_PTX_INLINE float step_down(float f) {
  const u32 b = bits(f);
  return as_float((b << 1) == 0 ? 0x80000001u : (b >> 31) ? b + 1 : b - 1);
}
RIDGE_PTX_INLINE float step_up(float f) {
  return -step_down(-f);
}

template <Rounding R>
RIDGE_PTX_INLINE float rounded(Exact x) {
  const float f = static_cast<float>(x.value);
  const double d = f;
  const bool above = (d > x.value) | ((d == x.value) & (x.error < 0));
  const bool below = (d < x.value) | ((d == x.value) & (x.error > 0));
  if constexpr (R == Rounding::down) return above ? step_down(f) : f;
  if constexpr (R == Rounding::up) return below ? step_up(f) : f;
  return (above & (d > 0)) ? step_down(f) : (below & (d < 0)) ? step_up(f) : f;
}

/// x + y where both are exact doubles. An exact zero from unlike signs is −0 when rounding down, +0 otherwise.
template <Rounding R>
RIDGE_PTX_INLINE float rounded_sum(double x, double y) {
  const Exact sum = exact_sum(x, y);
  const float f = rounded<R>(sum);
  if constexpr (R != Rounding::down) return f;
  const bool negative = ((bits(x) | bits(y)) >> 63) != 0;
  return ((sum.value == 0) & (sum.error == 0) & negative) ? -0.0f : f;
}

template <Rounding R>
RIDGE_PTX_INLINE float add(float a, float b) {
  if constexpr (R == Rounding::nearest)
    return a + b;
  else
    return rounded_sum<R>(a, b);
}
template <Rounding R>
RIDGE_PTX_INLINE float mul(float a, float b) {
  if constexpr (R == Rounding::nearest)
    return a * b;
  else
    return rounded<R>({static_cast<double>(a) * b, 0});
}
template <Rounding R>
RIDGE_PTX_INLINE float fma(float a, float b, float c) {
  if constexpr (R == Rounding::nearest)
    return __builtin_fmaf(a, b, c);
  else
    return rounded_sum<R>(static_cast<double>(a) * b, c);
}
template <Rounding R>
RIDGE_PTX_INLINE float div(float a, float b) {
  if constexpr (R == Rounding::nearest)
    return a / b;
  else
    return rounded<R>({static_cast<double>(a) / b, 0});
}
template <Rounding R>
RIDGE_PTX_INLINE float sqrt(float a) {
  if constexpr (R == Rounding::nearest)
    return __builtin_sqrtf(a);
  else
    return rounded<R>({__builtin_sqrt(static_cast<double>(a)), 0});
}
template <Rounding R>
RIDGE_PTX_INLINE float narrow(double a) {
  if constexpr (R == Rounding::nearest)
    return static_cast<float>(a);
  else
    return rounded<R>({a, 0});
}

/// `.ftz`: a subnormal becomes a zero of its sign.
RIDGE_PTX_INLINE float flushed(float x) {
  const u32 b = bits(x);
  return as_float((b & 0x7f800000u) == 0 ? b & 0x80000000u : b);
}

}  // namespace ridge::ptx
