// Encoding scales the magnitude so that one unit is the last place, and rounds that with floor.
#include "kernels/formats/formats.hpp"

#include <array>
#include <utility>

namespace ridge::formats {
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

std::optional<Format> format_of(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Format>, 7> all{
      {{"f32", f32}, {"tf32", tf32}, {"f16", f16}, {"bf16", bf16}, {"e4m3", e4m3}, {"e5m2", e5m2}, {"e2m1", e2m1}}};
  for (const auto& [known, format] : all)
    if (known == name) return format;
  return std::nullopt;
}

std::uint32_t encode(double x, Format f, Rounding rounding, bool saturate) {
  const int m = f.mantissa_bits, bias = f.bias();
  const std::uint32_t all = (1U << (f.exponent_bits + m)) - 1, exponent_ones = (1U << f.exponent_bits) - 1;
  const std::uint32_t infinity = f.specials == Specials::ieee ? exponent_ones << m : all;
  const std::uint32_t largest = f.specials == Specials::none ? all : infinity - 1;
  if (std::isnan(x)) return all;
  const bool negative = std::signbit(x);
  const std::uint32_t sign = negative ? all + 1 : 0;
  const double a = std::fabs(x);
  if (std::isinf(a)) return sign | (saturate ? largest : infinity);
  if (a == 0) return sign;
  int e = std::ilogb(a);
  if (e < 1 - bias) e = 1 - bias;
  const double scaled = std::scalbn(a, m - e), below = std::floor(scaled);
  const std::uint64_t significand =
      static_cast<std::uint64_t>(below) + (rounds_up(below, scaled - below, negative, rounding) ? 1 : 0);
  // A significand below 2^m is subnormal (e is the smallest then); a carry past 2^(m+1) moves into the exponent.
  const std::uint64_t code = (static_cast<std::uint64_t>(e + bias - 1) << m) + significand;
  if (code <= largest) return sign | static_cast<std::uint32_t>(code);
  return sign | (saturate || !overflows_to_infinity(negative, rounding) ? largest : infinity);
}

double decode(std::uint32_t code, Format f) {
  const int m = f.mantissa_bits;
  const std::uint32_t ones = (1U << f.exponent_bits) - 1;
  const std::uint32_t exponent = code >> m & ones, mantissa = code & ((1U << m) - 1);
  double value = std::scalbn(static_cast<double>(mantissa + (exponent ? 1U << m : 0U)),
                             static_cast<int>(exponent ? exponent : 1) - f.bias() - m);
  if (exponent == ones) {
    if (f.specials == Specials::ieee) value = mantissa ? std::nan("") : HUGE_VAL;
    if (f.specials == Specials::nan_only && mantissa == (1U << m) - 1) value = std::nan("");
  }
  return code >> (f.exponent_bits + m) & 1 ? -value : value;
}

}  // namespace ridge::formats
