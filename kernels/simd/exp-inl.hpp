// e to the power of x in f32, compiled once for each instruction set: half of the instructions that Highway's Exp
// takes, which is more careful below the smallest normal number and about conversions. Where an exponential is most of
// a kernel's arithmetic, that is most of its time.
//
// x = n·ln 2 + r with a whole n and |r| ≤ ln 2 / 2; e^x = 2^n · e^r. n is found by adding 1.5 · 2^23, which leaves it
// in the lowest bits of the sum; ln 2 is taken in two parts (W. Cody, W. Waite, "Software Manual for the Elementary
// Functions", 1980). e^r is the polynomial of degree 6, begun 1 + r, of the least relative error there, 3e-9 (Remez).
// Within two roundings for x ≤ 88.37; infinite above, 0 below -87.68, NaN of NaN.
#if defined(RIDGE_SIMD_EXP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef RIDGE_SIMD_EXP_INL
#undef RIDGE_SIMD_EXP_INL
#else
#define RIDGE_SIMD_EXP_INL
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ridge::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Tag, class V = hn::Vec<Tag>>
HWY_INLINE V exponential(Tag d, V x) {
  const hn::RebindToSigned<Tag> whole;
  // With the exponent's bias of 127 in it, so that the sum's lowest bits are those of 2^n.
  const auto shift = hn::Set(d, 12582912.0F + 127.0F);
  // The bounds come first: of two operands one of which is NaN, x86's Min and Max answer the second.
  x = hn::Min(hn::Set(d, 89.0F), hn::Max(hn::Set(d, -88.0F), x));
  const auto sum = hn::MulAdd(x, hn::Set(d, 1.44269504F), shift);
  const auto n = hn::Sub(sum, shift);
  auto r = hn::NegMulAdd(n, hn::Set(d, 0.693359375F), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4F), r);
  const auto square = hn::Mul(r, r);
  const auto low = hn::Add(hn::Set(d, 1.0F), r);
  const auto middle = hn::MulAdd(hn::Set(d, 0.16666520F), r, hn::Set(d, 0.49999994F));
  const auto high = hn::MulAdd(hn::Set(d, 0.0083687808F), r, hn::Set(d, 0.041668393F));
  const auto upper = hn::MulAdd(square, hn::MulAdd(square, hn::Set(d, 0.0013814467F), high), middle);
  const auto power = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(whole, sum)));
  return hn::Mul(hn::MulAdd(square, upper, low), power);
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::simd
HWY_AFTER_NAMESPACE();

#endif
