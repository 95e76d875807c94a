// Any floating format of at most 16 bits (and tf32): exact decoding, and encoding in every rounding mode.
#pragma once

#include "kernels/ptx/arith/bits.hpp"

namespace ridge::ptx {

struct SmallFormat {
  int exponent_bits, mantissa_bits;
  bool finite_only;  ///< e4m3: no infinities, and only an all-ones significand is NaN
};
inline constexpr SmallFormat format_f16{5, 10, false}, format_bf16{8, 7, false}, format_tf32{8, 10, false},
    format_e4m3{4, 3, true}, format_e5m2{5, 2, false};

/// x rounded to the format. Results beyond the largest finite number become infinity (NaN in a format without one) or
/// the largest finite number, as the rounding mode says; always the latter when `saturate`. NaN has all bits set but
/// the sign.
u32 encode(double x, SmallFormat format, Rounding rounding = Rounding::nearest, bool saturate = false);

/// The value of the low bits of `code`.
double decode(u32 code, SmallFormat format);

}  // namespace ridge::ptx
