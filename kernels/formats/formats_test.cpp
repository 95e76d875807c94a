// Every code of the small formats decoded and encoded, every border between two neighbours, and the compiler's own
// types.
#include "kernels/formats/formats.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <string>

using namespace ridge::formats;

namespace {

constexpr std::array<const char*, 7> names{"f32", "tf32", "f16", "bf16", "e4m3", "e5m2", "e2m1"};

std::uint32_t codes(const Format& f) {
  return 1U << (f.exponent_bits + f.mantissa_bits);  // without the sign
}

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

}  // namespace

TEST_CASE("every code of an 8- or 16-bit format decodes, and encodes back to itself with either sign") {
  for (const char* name : {"f16", "bf16", "e4m3", "e5m2", "e2m1"}) {
    const Format f = *format_of(name);
    int numbers = 0;
    for (std::uint32_t code = 0; code < 2 * codes(f); ++code) {
      const double value = decode(code, f);
      if (value != value) continue;
      ++numbers;
      if (encode(value, f) != code || !same(rounded(value, f), value)) FAIL(name << " code " << code);
    }
    const int specials =
        f.specials == Specials::ieee ? 2 * ((1 << f.mantissa_bits) - 1) : (f.specials == Specials::nan_only ? 2 : 0);
    CHECK(numbers == static_cast<int>(2 * codes(f)) - specials);
  }
}

TEST_CASE("at every border between two neighbours, nearest goes to the right side, and ties to the even code") {
  for (const char* name : {"tf32", "f16", "bf16", "e4m3", "e5m2", "e2m1"}) {
    const Format f = *format_of(name);
    const std::uint32_t step = codes(f) > 65536 ? 61 : 1;
    for (std::uint32_t code = 0; code + 1 < codes(f); code += step) {
      const double low = decode(code, f), high = decode(code + 1, f);
      if (!(high < HUGE_VAL)) break;
      const double half = low + (high - low) / 2;
      const std::uint32_t even = (code & 1) != 0 ? code + 1 : code;
      for (const double sign : {1.0, -1.0}) {
        const std::uint32_t bit = sign < 0 ? codes(f) : 0;
        const auto goes = [&](double x, std::uint32_t to) {
          return encode(sign * x, f) == (bit | to) && same(rounded(sign * x, f), decode(bit | to, f));
        };
        if (!goes(half, even) || !goes(std::nextafter(half, 0), code) ||
            !goes(std::nextafter(half, HUGE_VAL), code + 1))
          FAIL(name << " between codes " << code << " and " << code + 1);
      }
    }
  }
}

TEST_CASE("rounding a value is encoding and decoding it, for doubles of any size") {
  std::uint64_t bits = 1;
  for (int i = 0; i < 300000; ++i) {
    bits = bits * 6364136223846793005U + 1442695040888963407U;
    // Any double, and doubles near the range of the small formats.
    std::uint64_t pattern = bits;
    if (i % 4 != 0) pattern = (bits & 0x800FFFFFFFFFFFFFU) | (((bits >> 52 & 63) + 1023 - 32) << 52);
    const double x = std::bit_cast<double>(pattern);
    for (const char* name : names) {
      const Format f = *format_of(name);
      for (const bool saturate : {false, true}) {
        if (f.specials != Specials::ieee && !saturate) continue;  // they have no infinity to decode
        if (x != x) continue;
        const double want = decode(encode(x, f, Rounding::nearest, saturate), f);
        if (!same(rounded(x, f, saturate), want)) FAIL(name << " of " << x << ": " << rounded(x, f, saturate));
      }
    }
  }
}

TEST_CASE("beyond the largest number: infinity, NaN, or that number") {
  CHECK(encode(65519.99, f16) == 0x7BFF);
  CHECK(encode(65520, f16) == 0x7C00);
  CHECK(encode(65520, f16, Rounding::nearest, true) == 0x7BFF);
  CHECK(encode(464, e4m3) == 0x7E);  // halfway to the code that is NaN: even
  CHECK(encode(464.1, e4m3) == 0x7F);
  CHECK(encode(464.1, e4m3, Rounding::nearest, true) == 0x7E);
  CHECK(encode(1e30, e2m1) == 7);
  CHECK(encode(-1e30, e2m1) == 15);
  CHECK(encode(-HUGE_VAL, e5m2) == 0xFC);
  CHECK(encode(-HUGE_VAL, e5m2, Rounding::nearest, true) == 0xFB);
  CHECK(rounded(HUGE_VAL, e4m3, true) == 448);
  CHECK(rounded(-1e10, f16) == -HUGE_VAL);
  CHECK(rounded(NAN, f16, true) != rounded(NAN, f16, true));
}

TEST_CASE("the facts of each format are those of its specification") {
  CHECK(f16.unit_roundoff() == 0x1p-11);
  CHECK(bf16.unit_roundoff() == 0x1p-8);
  CHECK(tf32.unit_roundoff() == 0x1p-11);
  CHECK(e4m3.unit_roundoff() == 0x1p-4);
  CHECK(bf16.least() == 0x1p-133);
  CHECK(f32.largest() == std::numeric_limits<float>::max());
  CHECK(f32.least() == std::numeric_limits<float>::denorm_min());
  CHECK(std::isnan(decode(0x7F, e4m3)));
  CHECK(decode(0x78, e4m3) == 256);
  CHECK(decode(1, e4m3) == 0x1p-9);
  for (const char* name : names) {
    const Format f = *format_of(name);
    CHECK(decode(1, f) == f.least());
    CHECK(rounded(f.largest(), f) == f.largest());
    CHECK(rounded(1e300, f, true) == f.largest());
  }
  CHECK_FALSE(format_of("f64"));
  CHECK_FALSE(format_of(""));
}

TEST_CASE("single precision is the compiler's") {
  std::uint64_t bits = 7;
  for (int i = 0; i < 300000; ++i) {
    bits = bits * 6364136223846793005U + 1442695040888963407U;
    const double x = std::bit_cast<double>((bits & 0x800FFFFFFFFFFFFFU) | (((bits >> 52) % 300 + 1023 - 152) << 52));
    const auto native = static_cast<float>(x);
    if (encode(x, f32) != std::bit_cast<std::uint32_t>(native)) FAIL(x);
    if (!same(rounded(x, f32), native)) FAIL(x);
  }
}

#if defined(__FLT16_MAX__) && !defined(__clang__)
TEST_CASE("half precision is the compiler's own type, from every neighbourhood of a code and from many floats") {
  const auto native = [](auto x) { return std::bit_cast<std::uint16_t>(static_cast<_Float16>(x)); };
  for (std::uint32_t code = 0; code < 0x7C00; ++code) {
    const double low = decode(code, f16), high = code + 1 == 0x7C00 ? 65536 : decode(code + 1, f16);
    for (const double at : {low, low + (high - low) / 2})
      for (const double x : {std::nextafter(at, 0), at, std::nextafter(at, HUGE_VAL)}) {
        if (encode(x, f16) != native(x) || encode(-x, f16) != native(-x)) FAIL("near code " << code);
        const auto single = static_cast<float>(x);
        if (encode(single, f16) != native(single)) FAIL("the float near code " << code);
      }
  }
  for (std::uint64_t pattern = 0; pattern <= 0xFFFFFFFFU; pattern += 4093) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
    if (x == x && encode(x, f16) != native(x)) FAIL("float " << pattern);
  }
}
#endif
