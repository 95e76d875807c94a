// Binary floating formats of at most 32 bits, as IEEE 754, bfloat16 and the OCP specifications (8-bit floating point
// 1.0, microscaling 1.0) define them: exact decoding, encoding in every rounding mode, and rounding of values.
//
//   value = (−1)^s · 1.mantissa · 2^(exponent − bias), bias = 2^(exponent_bits − 1) − 1; subnormal below that
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace ridge::formats {

// Of an inexact result, named as IEEE 754 does: PTX's rn, rz, rm, rp and rna.
enum class Rounding : std::uint8_t { nearest, zero, down, up, away };

// Which codes are no numbers: all of the largest exponent (infinity and NaN), only all ones (NaN), or none.
enum class Specials : std::uint8_t { ieee, nan_only, none };

struct Format {
  int exponent_bits, mantissa_bits;
  Specials specials = Specials::ieee;

  [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  [[nodiscard]] constexpr int least_exponent() const { return 1 - bias(); }  // of a normal number
  [[nodiscard]] constexpr int most_exponent() const {
    return (1 << exponent_bits) - 1 - bias() - (specials == Specials::ieee ? 1 : 0);
  }
  // Significant bits, the leading one included; half a unit in the last place of 1 is 2^−precision, the unit roundoff.
  [[nodiscard]] constexpr int precision() const { return mantissa_bits + 1; }
  [[nodiscard]] constexpr double unit_roundoff() const { return power(-precision()); }
  [[nodiscard]] constexpr double least() const { return power(least_exponent() - mantissa_bits); }  // above zero
  [[nodiscard]] constexpr double largest() const {
    const double all_ones = 2 - power(-mantissa_bits);
    return (specials == Specials::nan_only ? all_ones - power(-mantissa_bits) : all_ones) * power(most_exponent());
  }
  // 2^exponent, for those of a normal double.
  static constexpr double power(int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
  }
};

inline constexpr Format f32{8, 23}, tf32{8, 10}, f16{5, 10}, bf16{8, 7}, e4m3{4, 3, Specials::nan_only}, e5m2{5, 2},
    e2m1{2, 1, Specials::none};
static_assert(f16.largest() == 65504 && e4m3.largest() == 448 && e5m2.largest() == 57344 && e2m1.largest() == 6);
static_assert(f16.least() == 0x1p-24 && e4m3.least() == 0x1p-9 && e5m2.least() == 0x1p-16 && e2m1.least() == 0.5);

// The format of "f32", "tf32", "f16", "bf16", "e4m3", "e5m2" or "e2m1"; nothing for another name.
std::optional<Format> format_of(std::string_view name);

// The code of x rounded to the format. Results beyond the largest finite number become infinity (NaN in a format
// without one, the largest where there is none either) or the largest finite number, as the rounding mode says; always
// the latter when `saturate`. A NaN has all bits set but the sign; a format without NaN takes its largest number.
std::uint32_t encode(double x, Format format, Rounding rounding = Rounding::nearest, bool saturate = false);

// The value of the low bits of `code`.
double decode(std::uint32_t code, Format format);

// decode(encode(x)) to nearest, ties to even, without going through codes: adding a number whose last place is the
// format's last place at x rounds there. Beyond the largest number: infinity, or that number when `saturate`.
inline double rounded(double x, Format f, bool saturate = false) {
  const double magnitude = std::fabs(x);
  const double beyond = saturate ? f.largest() : std::numeric_limits<double>::infinity();
  if (!(magnitude < 2 * f.largest())) return x == x ? std::copysign(beyond, x) : x;
  const int exponent = static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> 52) - 1023;
  const int least = f.least_exponent();
  const double shift = 1.5 * Format::power((exponent < least ? least : exponent) - f.mantissa_bits + 52);
  const double near = (magnitude + shift) - shift;
  return std::copysign(near > f.largest() ? beyond : near, x);
}

}  // namespace ridge::formats
