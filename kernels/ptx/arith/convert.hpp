// `cvt` between any two scalar types, one value at a time: the general way, beside which handlers keep fast ones.
#pragma once

#include "kernels/ptx/arith/bits.hpp"
#include "kernels/ptx/text/type.hpp"

namespace ridge::ptx {

struct Conversion {
  Type to = Type::none, from = Type::none;
  Rounding rounding = Rounding::nearest;
  bool to_integer = false;  ///< rounded to an integral value first (.rni, .rzi, .rmi, .rpi)
  bool saturate = false;    ///< .sat: floats to [0, 1], integers to the range of `to`
  bool flush = false;       ///< .ftz
  bool relu = false;
  bool finite = false;  ///< .satfinite
};

/// The bits of the result for the low bits of `value`. Floats become integers with clamping; a NaN becomes 0, or
/// 0x80…0 when either side has 64 bits.
u64 convert(u64 value, const Conversion& c);

/// The value of a float of any type; and back, rounded.
double value_of(u64 bits, Type type);
u64 bits_from(double value, Type type, Rounding rounding = Rounding::nearest, bool finite = false);

}  // namespace ridge::ptx
