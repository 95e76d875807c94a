// fma of 16-bit numbers against whole-number arithmetic: each operand is an integer times a power of two, so a·b + c is
// computed exactly in 128 bits and rounded once, with no floating-point operation in between.
#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "kernels/ptx/arith/half.hpp"

namespace ridge::ptx {
namespace {

/// A finite number as mantissa · 2^exponent.
struct Parts {
  int mantissa;
  int exponent;
};

struct Format {
  int mantissa_bits;  // without the hidden one
  int bias;
  u16 infinity;
};
constexpr Format of_f16{10, 15, 0x7c00}, of_bf16{7, 127, 0x7f80};

bool is_finite(u16 v, const Format& f) {
  return (v & f.infinity) != f.infinity;
}

Parts parts(u16 v, const Format& f) {
  const int exponent = (v & 0x7fff) >> f.mantissa_bits, mantissa = v & ((1 << f.mantissa_bits) - 1);
  const int magnitude = exponent == 0 ? mantissa : mantissa | 1 << f.mantissa_bits;
  return {v >> 15 ? -magnitude : magnitude, (exponent == 0 ? 1 : exponent) - f.bias - f.mantissa_bits};
}

int bits_in(u128 v) {
  return v >> 64 ? 128 - std::countl_zero(static_cast<u64>(v >> 64)) : 64 - std::countl_zero(static_cast<u64>(v));
}

/// value · 2^exponent, with a bit of anything below (`sticky`, of the value's sign), to nearest even.
u16 rounded(s128 value, int exponent, bool sticky, bool negative_zero, const Format& f) {
  if (value == 0) return negative_zero ? 0x8000 : 0;
  const bool negative = value < 0;
  const u128 magnitude = negative ? static_cast<u128>(-value) : static_cast<u128>(value);
  const int lowest = 1 - f.bias - f.mantissa_bits;  // the exponent of a subnormal's last bit
  const int last = std::max(lowest, exponent + bits_in(magnitude) - 1 - f.mantissa_bits);
  const int dropped = last - exponent;
  u128 kept = dropped <= 0 ? magnitude << -dropped : dropped > 126 ? 0 : magnitude >> dropped;
  if (dropped > 0) {
    const u128 rest = dropped > 126 ? 1 : magnitude - (kept << dropped);
    const u128 half = dropped > 126 ? 2 : static_cast<u128>(1) << (dropped - 1);
    if (rest > half || (rest == half && (sticky || (kept & 1)))) ++kept;
  }
  int biased = last - lowest;  // 0: subnormal, or the first binade, which has the same last bit
  if (kept >> (f.mantissa_bits + 1)) kept >>= 1, ++biased;
  const u128 bits = kept + (static_cast<u128>(biased) << f.mantissa_bits);
  const u16 out = bits >= f.infinity ? f.infinity : static_cast<u16>(bits);
  return static_cast<u16>(out | (negative ? 0x8000 : 0));
}

u16 expected(u16 a, u16 b, u16 c, const Format& f) {
  const Parts x = parts(a, f), y = parts(b, f), z = parts(c, f);
  s128 product = static_cast<s128>(x.mantissa) * y.mantissa, addend = z.mantissa;
  int exponent = x.exponent + y.exponent, other = z.exponent;
  const bool negative_zero = ((a ^ b) & 0x8000) && (c & 0x8000);
  if (product == 0) return z.mantissa == 0 ? (negative_zero ? 0x8000 : 0) : c;
  if (addend == 0) return rounded(product, exponent, false, false, f);
  // The higher one is moved left as far as 128 bits allow; what then still lies below is one sticky bit.
  s128 *high = &product, *low = &addend;
  int *at_high = &exponent, *at_low = &other;
  if (*at_high < *at_low) std::swap(high, low), std::swap(at_high, at_low);
  const int room = std::min(*at_high - *at_low, 60);
  *high = *high * (static_cast<s128>(1) << room);
  *at_high -= room;
  const int below = *at_high - *at_low;
  if (below == 0) return rounded(product + addend, *at_high, false, false, f);
  // `low` has at most 22 bits and is more than 60 places down, so it is less than one of `high`'s last places but for
  // its own upper bits: shift those in, and mark the rest.
  const bool negative = *low < 0;
  const u128 magnitude = negative ? static_cast<u128>(-*low) : static_cast<u128>(*low);
  const u128 shifted = below > 120 ? 0 : magnitude >> below;
  const bool rest = below > 120 || (shifted << below) != magnitude;
  s128 sum = *high + (negative ? -static_cast<s128>(shifted) : static_cast<s128>(shifted));
  // One more bit of room, so that a rest of the other sign can be borrowed for.
  sum *= 2;
  if (rest && negative != (sum < 0)) sum += negative ? -1 : 1;
  return rounded(sum, *at_high - 1, rest, false, f);
}

template <class H>
void all_of(const Format& f, const std::vector<u16>& others) {
  long off = 0, tried = 0;
  for (u32 a = 0; a < 0x10000; ++a) {
    if (!is_finite(static_cast<u16>(a), f)) continue;
    for (std::size_t i = 0; i < others.size(); i += 3)  // enough multipliers; every summand
      for (const u16 c : others) {
        const u16 b = others[i];
        ++tried;
        off += half_fma(H{static_cast<u16>(a)}, H{b}, H{c}).v != expected(static_cast<u16>(a), b, c, f);
      }
  }
  CHECK(tried > 1'000'000);
  CHECK(off == 0);
}

std::vector<u16> chosen(const Format& f) {
  std::vector<u16> all{
      0, 0x8000, 1, 0x8001, static_cast<u16>(f.infinity - 1), static_cast<u16>((f.infinity - 1) | 0x8000)};
  const u16 one = static_cast<u16>(f.bias << f.mantissa_bits);
  const u16 smallest = static_cast<u16>(1 << f.mantissa_bits);
  for (const u16 v : {one, static_cast<u16>(one | 1), static_cast<u16>(one - 1), static_cast<u16>(one | 0x8000),
                      smallest, static_cast<u16>(smallest - 1), static_cast<u16>(smallest | 0x8000)})
    all.push_back(v);
  u32 state = 99;
  for (int i = 0; i < 4; ++i) {
    state = state * 1664525u + 1013904223u;
    if (is_finite(static_cast<u16>(state >> 16), f)) all.push_back(static_cast<u16>(state >> 16));
  }
  return all;
}

}  // namespace

TEST_CASE("the fused multiply-add of f16 and bf16 is rounded once, for every first operand") {
  all_of<f16>(of_f16, chosen(of_f16));
  all_of<bf16>(of_bf16, chosen(of_bf16));
}

TEST_CASE("what the quadratic chains start from stays in their range, and a step more or less shows") {
  const auto check = [](auto zero, u16 c) {
    using H = decltype(zero);
    int alike = 0, all = 0;
    for (u32 v = 0; v < 0x10000; ++v) {
      H x{static_cast<u16>(v)};
      if (!(to_float(x) >= -1.875F && to_float(x) <= 1.875F)) continue;
      for (int s = 0; s < 75; ++s) {
        x = half_fma(x, x, H{c});
        REQUIRE(std::abs(to_float(x)) <= 1.9F);
      }
      ++all;
      alike += half_fma(x, x, H{c}).v == x.v ? 1 : 0;
    }
    CHECK(alike < all / 10);
  };
  check(f16{0}, 0xbf90);
  check(bf16{0}, 0xbff2);
}

}  // namespace ridge::ptx
