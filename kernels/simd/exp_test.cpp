// The exponential against that of f64, over its whole range and at its ends.
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/simd/exp_test.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
//
#include "kernels/simd/exp-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace ridge::simd {
namespace HWY_NAMESPACE {

float exponential_of(float x) {
  const hn::CappedTag<float, 1> one;
  return hn::GetLane(exponential(one, hn::Set(one, x)));
}

// Of a whole vector, so that the sets' own instructions are what is tried.
void exponentials_of(const float* x, float* out, std::int64_t count) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(exponential(d, hn::LoadU(d, x + i)), d, out + i);
  for (; i < count; ++i) out[i] = exponential_of(x[i]);
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <catch2/catch.hpp>
#include <vector>

namespace ridge::simd {

HWY_EXPORT(exponentials_of);

namespace {

std::vector<float> exponentials(const std::vector<float>& x) {
  std::vector<float> out(x.size());
  HWY_DYNAMIC_DISPATCH(exponentials_of)(x.data(), out.data(), static_cast<std::int64_t>(x.size()));
  return out;
}

}  // namespace

TEST_CASE("an exponential is within two roundings of that of f64") {
  std::vector<float> x;
  for (int i = -873'000; i <= 883'700; ++i) x.push_back(static_cast<float>(i) * 1e-4F);
  for (float small = 1; small > 1e-40F; small /= 1.7F) x.insert(x.end(), {small, -small});
  const auto out = exponentials(x);
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double want = std::exp(static_cast<double>(x[i]));
    most = std::max(most, std::abs(out[i] - want) / want);
  }
  CHECK(most < 2 * std::ldexp(1.0, -24));
  CHECK(most > std::ldexp(1.0, -25));  // it was looked at
}

TEST_CASE("at the ends an exponential is 0 or infinite, and NaN of NaN") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto out = exponentials(
      {-infinity, -1e30F, -104, -88, -87.7F, 0, -0.0F, 88.4F, 88.8F, 1e30F, infinity, NAN, NAN, NAN, NAN, NAN});
  for (int i = 0; i < 5; ++i) CHECK(out[i] == 0);
  CHECK(out[5] == 1);
  CHECK(out[6] == 1);
  for (int i = 7; i < 11; ++i) CHECK(out[i] == infinity);
  for (int i = 11; i < 16; ++i) CHECK(std::isnan(out[i]));
  const auto small = exponentials({-87.5F});
  CHECK(small[0] == Approx(std::exp(-87.5)).epsilon(1e-3));  // below the smallest normal number bits are lost
}

}  // namespace ridge::simd
#endif
