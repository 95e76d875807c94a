// Number formats and roundings against the host's IEEE arithmetic, exhaustively where the type is small.
#include <catch2/catch.hpp>
#include <cfenv>
#include <cmath>
#include <random>

#include "kernels/ptx/arith/convert.hpp"
#include "kernels/ptx/arith/half.hpp"
#include "kernels/ptx/arith/integer.hpp"
#include "kernels/ptx/arith/small_float.hpp"
#include "kernels/ptx/arith/special.hpp"

namespace ridge::ptx {
namespace {

bool same(float a, float b) {
  return bits(a) == bits(b) || (a != a && b != b);
}

TEST_CASE("every 16-bit pattern decodes alike by both ways, and encodes back to itself") {
  for (u32 i = 0; i < 65536; ++i) {
    const float h = to_float(f16{static_cast<u16>(i)}), b = to_float(bf16{static_cast<u16>(i)});
    REQUIRE(same(h, static_cast<float>(decode(i, format_f16))));
    REQUIRE(same(b, static_cast<float>(decode(i, format_bf16))));
    REQUIRE(f16_bits(h) == (h != h ? 0x7fffu : i));
    REQUIRE(bf16_bits(b) == (b != b ? 0x7fffu : i));
    if (h == h) REQUIRE(encode(h, format_f16) == i);
    if (b == b) REQUIRE(encode(b, format_bf16) == i);
  }
  for (u32 i = 0; i < 256; ++i) {
    for (const SmallFormat f : {format_e4m3, format_e5m2}) {
      const double v = decode(i, f);
      if (v == v) REQUIRE(encode(v, f) == i);
    }
  }
}

TEST_CASE("between two neighbours every rounding mode takes the right one") {
  for (const SmallFormat f : {format_f16, format_bf16, format_e4m3, format_e5m2}) {
    const u32 count = (1u << (f.exponent_bits + f.mantissa_bits)) - 2;
    const u32 step = count > 4096 ? 37 : 1;
    for (u32 i = 0; i + 1 < count; i += step) {
      const double low = decode(i, f), high = decode(i + 1, f);
      if (!(high < HUGE_VAL)) break;
      const double quarter = low + (high - low) / 4, half = low + (high - low) / 2;
      REQUIRE(encode(quarter, f) == i);
      REQUIRE(encode(half, f) == (i & 1 ? i + 1 : i));
      REQUIRE(encode(half, f, formats::Rounding::away) == i + 1);
      REQUIRE(encode(quarter, f, formats::Rounding::up) == i + 1);
      REQUIRE(encode(quarter, f, formats::Rounding::down) == i);
      const u32 sign = 1u << (f.exponent_bits + f.mantissa_bits);
      REQUIRE(encode(-quarter, f, formats::Rounding::down) == (sign | (i + 1)));
      REQUIRE(encode(-quarter, f, formats::Rounding::zero) == (sign | i));
    }
  }
}

TEST_CASE("beyond the largest number: infinity, NaN or saturation") {
  CHECK(encode(1e9, format_f16) == 0x7c00);
  CHECK(encode(1e9, format_f16, formats::Rounding::zero) == 0x7bff);
  CHECK(encode(449, format_e4m3, formats::Rounding::nearest, true) == 0x7e);
  CHECK(encode(1e9, format_e4m3) == 0x7f);
  CHECK(encode(-1e9, format_e5m2) == 0xfc);
}

/// Floats that sit where rounding is decided: small, huge, subnormal, close to each other.
std::vector<float> hard_floats() {
  std::vector<float> out = {0.0f,
                            -0.0f,
                            1.0f,
                            -1.0f,
                            as_float(1),
                            as_float(0x80000001u),
                            as_float(0x007fffffu),
                            as_float(0x00800000u),
                            as_float(0x7f7fffffu),
                            as_float(0xff7fffffu),
                            HUGE_VALF,
                            -HUGE_VALF,
                            1.0f + 0x1p-23f,
                            1.0f - 0x1p-24f};
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) out.push_back(as_float(random()));
  for (int i = 0; i < 30; ++i)
    out.push_back(std::ldexp(1.0f + static_cast<float>(random() % 7) * 0x1p-23f, static_cast<int>(random() % 50) - 25));
  return out;
}

struct Mode {
  int host;
  Rounding ours;
};

template <Rounding R>
void directed_matches_host(int host) {
  const std::vector<float> x = hard_floats();
  for (float a : x) {
    for (float b : x) {
      volatile float va = a, vb = b, sum, product, quotient, fused, root;
      std::fesetround(host);
      sum = va + vb;
      product = va * vb;
      quotient = va / vb;
      root = std::sqrt(va);
      fused = std::fma(va, vb, 1.5f);
      std::fesetround(FE_TONEAREST);
      INFO(a << " and " << b);
      REQUIRE(same(add<R>(a, b), sum));
      REQUIRE(same(mul<R>(a, b), product));
      REQUIRE(same(div<R>(a, b), quotient));
      REQUIRE(same(sqrt<R>(a), root));
      REQUIRE(same(fma<R>(a, b, 1.5f), fused));
    }
  }
}

TEST_CASE("single precision rounded down, up and to zero is the host's") {
  directed_matches_host<Rounding::down>(FE_DOWNWARD);
  directed_matches_host<Rounding::up>(FE_UPWARD);
  directed_matches_host<Rounding::zero>(FE_TOWARDZERO);
}

TEST_CASE("half arithmetic is rounded once") {
  std::mt19937 random(9);
  for (int i = 0; i < 200000; ++i) {
    const f16 a{static_cast<u16>(random())}, b{static_cast<u16>(random())}, c{static_cast<u16>(random())};
    const bf16 p{a.v}, q{b.v}, r{c.v};
    const long double half_product = static_cast<long double>(to_float(a)) * to_float(b);
    const long double exact = half_product + to_float(c);
    const double product = static_cast<double>(to_float(a)) * to_float(b),
                 sum = static_cast<double>(to_float(a)) + to_float(b);
    const auto equal = [](u16 x, u32 y) { return x == y || ((x & 0x7fff) > 0x7c00 && (y & 0x7fff) > 0x7c00); };
    REQUIRE(equal(half_mul(a, b).v, encode(product, format_f16)));
    REQUIRE(equal(half_add(a, b).v, encode(sum, format_f16)));
    // A long double holds a product of halves plus a half exactly unless their exponents are far apart.
    const auto is_exact = [](long double s, long double x, long double y) { return s - x == y && s - y == x; };
    const double narrowed = static_cast<double>(exact);
    if (is_exact(exact, half_product, to_float(c)) && narrowed == exact)
      REQUIRE(equal(half_fma(a, b, c).v, encode(narrowed, format_f16)));
    const double bproduct = static_cast<double>(to_float(p)) * to_float(q);
    REQUIRE((half_mul(p, q).v == encode(bproduct, format_bf16) || bproduct != bproduct));
    const long double wide_product = static_cast<long double>(to_float(p)) * to_float(q);
    const long double bexact = wide_product + to_float(r);
    const double bnarrow = static_cast<double>(bexact);
    if (is_exact(bexact, wide_product, to_float(r)) && bnarrow == bexact)
      REQUIRE(half_fma(p, q, r).v == encode(bnarrow, format_bf16));
  }
}

TEST_CASE("conversions clamp, saturate and round as the manual says") {
  const auto one = [](u64 v, Type to, Type from, Rounding r = Rounding::nearest, bool sat = false) {
    Conversion c;
    c.to = to;
    c.from = from;
    c.rounding = r;
    c.saturate = sat;
    return convert(v, c);
  };
  CHECK(one(bits(3e9f), Type::s32, Type::f32, Rounding::zero) == 0x7fffffffu);
  CHECK(one(bits(-1.0f), Type::u32, Type::f32, Rounding::zero) == 0);
  CHECK(one(bits(2.5f), Type::s32, Type::f32) == 2);
  CHECK(one(bits(2.5f), Type::s32, Type::f32, Rounding::up) == 3);
  CHECK(one(bits(-2.5f), Type::s32, Type::f32, Rounding::down) == static_cast<u64>(-3));
  CHECK(one(0xffffffff80000000ull, Type::s8, Type::s64, Rounding::nearest, true) == static_cast<u64>(-128));
  CHECK(one(300, Type::u8, Type::s32, Rounding::nearest, true) == 255);
  CHECK(one(16777217, Type::f32, Type::s32) == bits(16777216.0f));
  CHECK(one(16777217, Type::f32, Type::s32, Rounding::up) == bits(16777218.0f));
  CHECK(one(~u64{0}, Type::f64, Type::u64, Rounding::zero) == bits(18446744073709549568.0));
  CHECK(one(bits(0.1), Type::f32, Type::f64, Rounding::down) == bits(std::nextafter(0.1f, 0.0f)));
  CHECK(one(bits(1.0f + 0x1p-11f), Type::tf32, Type::f32, Rounding::away) == bits(1.0f + 0x1p-10f));
  // 2^60 + 2^52 + 1 lies above the middle of two bf16: a rounding to double first would lose that.
  CHECK(one((u64{1} << 60) + (u64{1} << 52) + 1, Type::bf16, Type::u64) == 0x5d81);
}

TEST_CASE("ex2.approx is within the manual's error over its whole range") {
  for (u32 i = 0; i < 0xff000000u; i += 65521) {
    const float x = as_float(i);
    if (!(std::fabs(x) < 160)) continue;
    const double want = std::exp2(static_cast<double>(x));
    const float got = exp2_approx(x);
    const double ulp = std::max(std::ldexp(1.0, std::ilogb(want) - 23), 0x1p-149);
    if (want < 3.4e38) REQUIRE(std::fabs(got - want) <= 0.51 * ulp);
  }
  CHECK(exp2_approx(HUGE_VALF) == HUGE_VALF);
  CHECK(exp2_approx(-HUGE_VALF) == 0);
  CHECK(exp2_approx(NAN) != exp2_approx(NAN));
}

TEST_CASE("integer corner cases") {
  CHECK(int_div<s32>(-2147483647 - 1, -1) == -2147483647 - 1);
  CHECK(int_div<u32>(5, 0) == ~0u);
  CHECK(int_rem<s64>(-7, 2) == -1);
  CHECK(mul_hi<s64>(-1, 1) == -1);
  CHECK(shift_left<u32>(1, 32) == 0);
  CHECK(shift_right<s32>(-8, 40) == -1);
  CHECK(shift_right<u16>(0x8000, 20) == 0);
  CHECK(bit_field_extract<s32>(0x000000f0, 4, 4) == -1);
  CHECK(bit_field_extract<u32>(0xdeadbeef, 8, 16) == 0xadbe);
  CHECK(bit_field_insert<u32>(0xff, 0, 28, 8) == 0xf0000000u);
  CHECK(find_top_bit<s32>(-1, false) == ~0u);
  CHECK(find_top_bit<u32>(1, true) == 31);
  CHECK(find_nth_set(0b1011, 0, 3) == 3);
  CHECK(permute_bytes(0x33221100, 0x77665544, 0x7604, Permute::selectors) == 0x77660044);
  CHECK(permute_bytes(0x80, 0, 0x8, Permute::selectors) == 0x000000ffu + 0x80808000u);
}

}  // namespace
}  // namespace ridge::ptx
