// Encoding scales the magnitude so that one unit is the last place, and rounds that with floor.
#include "kernels/ptx/arith/small_float.hpp"

#include <cmath>

namespace ridge::ptx {
namespace {

bool rounds_up(double below, double fraction, bool negative, Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest:
      return fraction > 0.5 || (fraction == 0.5 && std::fmod(below, 2.0) != 0);
    case Rounding::away:
      return fraction >= 0.5;
    case Rounding::zero:
      return false;
    case Rounding::down:
      return negative && fraction > 0;
    case Rounding::up:
      return !negative && fraction > 0;
  }
  return false;
}

bool overflows_to_infinity(bool negative, Rounding rounding) {
  return rounding == Rounding::nearest || rounding == Rounding::away || (rounding == Rounding::down && negative) ||
         (rounding == Rounding::up && !negative);
}

}  // namespace

u32 encode(double x, SmallFormat f, Rounding rounding, bool saturate) {
  const int m = f.mantissa_bits, bias = (1 << (f.exponent_bits - 1)) - 1;
  const u32 all = (1u << (f.exponent_bits + m)) - 1, exponent_ones = (1u << f.exponent_bits) - 1;
  const u32 infinity = f.finite_only ? all : exponent_ones << m;
  const u32 largest = f.finite_only ? all - 1 : infinity - 1;
  if (std::isnan(x)) return all;
  const bool negative = std::signbit(x);
  const u32 sign = negative ? all + 1 : 0;
  const double a = std::fabs(x);
  if (std::isinf(a)) return sign | (saturate ? largest : infinity);
  if (a == 0) return sign;
  int e = std::ilogb(a);
  if (e < 1 - bias) e = 1 - bias;
  const double scaled = std::scalbn(a, m - e), below = std::floor(scaled);
  const u64 significand = static_cast<u64>(below) + (rounds_up(below, scaled - below, negative, rounding) ? 1 : 0);
  // A significand below 2^m is subnormal (e is the smallest then); a carry past 2^(m+1) moves into the exponent.
  const u64 code = (static_cast<u64>(e + bias - 1) << m) + significand;
  if (code <= largest) return sign | static_cast<u32>(code);
  return sign | (saturate || !overflows_to_infinity(negative, rounding) ? largest : infinity);
}

double decode(u32 code, SmallFormat f) {
  const int m = f.mantissa_bits, bias = (1 << (f.exponent_bits - 1)) - 1;
  const u32 ones = (1u << f.exponent_bits) - 1;
  const u32 exponent = code >> m & ones, mantissa = code & ((1u << m) - 1);
  double value = std::scalbn(static_cast<double>(mantissa + (exponent ? 1u << m : 0u)),
                             static_cast<int>(exponent ? exponent : 1) - bias - m);
  if (exponent == ones && !f.finite_only) value = mantissa ? std::nan("") : HUGE_VAL;
  if (f.finite_only && exponent == ones && mantissa == (1u << m) - 1) value = std::nan("");
  return code >> (f.exponent_bits + m) & 1 ? -value : value;
}

}  // namespace ridge::ptx
