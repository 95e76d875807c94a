// The special functions of `.approx`: computed in double and rounded once, so well within the errors the manual states.
#pragma once

#include "kernels/ptx/arith/bits.hpp"

namespace ridge::ptx {

/// 2^x. The fraction is expanded to ninth order (remainder below 1e-11), the integer part goes into the exponent; the
/// last conversion rounds, subnormals included.
RIDGE_PTX_INLINE float exp2_approx(float x) {
  const double shift = 6755399441055744.0;  // 1.5 · 2^52: adding it leaves the nearest integer in the low bits
  const double wide = x;
  const double clamped_x = wide > -200.0 ? (wide < 200.0 ? wide : 200.0) : -200.0;
  const double moved = clamped_x + shift;
  const double r = (clamped_x - (moved - shift)) * 0.69314718055994530942;
  double p = 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  const u64 exponent = bits(moved) - bits(shift) + 1023;
  const float y = static_cast<float>(p * as_double(exponent << 52));
  return x == x ? y : as_float(0x7fffffffu);
}

RIDGE_PTX_INLINE float log2_approx(float x) {
  return static_cast<float>(__builtin_log2(static_cast<double>(x)));
}
RIDGE_PTX_INLINE float sin_approx(float x) {
  return static_cast<float>(__builtin_sin(static_cast<double>(x)));
}
RIDGE_PTX_INLINE float cos_approx(float x) {
  return static_cast<float>(__builtin_cos(static_cast<double>(x)));
}
RIDGE_PTX_INLINE float tanh_approx(float x) {
  return static_cast<float>(__builtin_tanh(static_cast<double>(x)));
}
RIDGE_PTX_INLINE float rsqrt_approx(float x) {
  return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
}

}  // namespace ridge::ptx
