// What the family computes against figures that are known by other means, and against theory.
#include "kernels/precision/precision.hpp"

#include <catch2/catch.hpp>

#include <cmath>

#include "kernels/random/normal.hpp"

using namespace ridge;
using namespace ridge::precision;

TEST_CASE("sums of ones stop where the textbook says") {
  CHECK(sum_of_ones(formats::f16) == 2048);
  CHECK(sum_of_ones(formats::bf16) == 256);
  CHECK(sum_of_ones(formats::tf32) == 2048);
  CHECK(sum_of_ones(formats::e4m3) == 16);
  CHECK(sum_of_ones(formats::e5m2) == 8);
  CHECK(sum_of_ones(formats::e2m1) == 4);
}

TEST_CASE("normal numbers have mean 0, variance 1, and the tails of their distribution") {
  double sum = 0, squares = 0;
  int beyond_two = 0;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double x = random::normal(3, static_cast<std::uint64_t>(i));
    sum += x;
    squares += x * x;
    if (std::fabs(x) > 2) ++beyond_two;
  }
  CHECK(std::fabs(sum / count) < 5 / std::sqrt(count));
  CHECK(std::fabs(squares / count - 1) < 5 * std::sqrt(2.0 / count));
  CHECK(std::fabs(static_cast<double>(beyond_two) / count - 0.0455) < 0.004);
}

namespace {

ProductErrors errors(formats::Format type, Accumulate accumulate, Data data, std::int64_t k) {
  return product_errors({type, accumulate, data, k, 1});
}

}  // namespace

TEST_CASE("with sums in f32 the error is that of the rounded inputs, and with sums in the type it grows") {
  const auto wide = errors(formats::bf16, Accumulate::f32, Data::normal, 2048);
  const auto narrow = errors(formats::bf16, Accumulate::same, Data::normal, 2048);
  CHECK(wide.error > 0.5 * formats::bf16.unit_roundoff());
  CHECK(wide.error < 0.7 * formats::bf16.unit_roundoff());
  CHECK(wide.accumulation < 1e-5);
  CHECK(narrow.error > 10 * wide.error);
  CHECK(narrow.accumulation > 10 * wide.error);
  CHECK(wide.off_reference == 0);
  CHECK(narrow.off_reference == 0);
  CHECK(wide.worst_bound_share <= 1);
  CHECK(wide.worst_bound_share > 0);
  // The same roundings again give the same figures.
  CHECK(errors(formats::bf16, Accumulate::same, Data::normal, 2048).error == narrow.error);
}

TEST_CASE("rounded once, each entry keeps within the bound and is not far below it") {
  const auto e = errors(formats::f16, Accumulate::same, Data::normal, 16);
  CHECK(e.worst_bound_share <= 1);
  CHECK(e.worst_bound_share > 0.01);
}

TEST_CASE("what leaves the range is counted") {
  const auto half = errors(formats::f16, Accumulate::same, Data::wide, 64);
  CHECK(half.overflows > 0);
  CHECK(half.underflows > 0);
  CHECK_FALSE(std::isfinite(half.error));
  CHECK(half.off_reference == 0);
  const auto eight = errors(formats::e4m3, Accumulate::f32, Data::wide, 64);
  CHECK(eight.overflows > 0);
  CHECK(std::isfinite(eight.error));  // it saturates
  const auto brain = errors(formats::bf16, Accumulate::f32, Data::wide, 64);
  CHECK(brain.overflows == 0);
  CHECK(brain.underflows == 0);
  const auto normal = errors(formats::f16, Accumulate::same, Data::normal, 64);
  CHECK(normal.overflows == 0);
}

TEST_CASE("sums of one sign stop growing in a short type") {
  const auto e = errors(formats::bf16, Accumulate::same, Data::positive, 4096);
  CHECK(e.error > 0.4);  // the sums should be 1024, and stop near 256
  CHECK(errors(formats::bf16, Accumulate::f32, Data::positive, 4096).error < 0.01);
}

TEST_CASE("gradients are lost and saved as their distribution says") {
  for (const auto& type : {formats::f16, formats::bf16, formats::e5m2, formats::e4m3})
    for (const double scale : {1.0, 1024.0, 32768.0}) {
      const auto loss = scaled_gradients(type, scale, 1), predicted = predicted_gradients(type, scale);
      CHECK(loss.lost == Approx(predicted.lost).margin(0.005));
      CHECK(loss.overflowed == Approx(predicted.overflowed).margin(0.005));
    }
  CHECK(scaled_gradients(formats::f16, 1, 1).lost > 0.2);
  CHECK(scaled_gradients(formats::f16, 32768, 1).lost < 0.001);
  CHECK(scaled_gradients(formats::bf16, 1, 1).lost == 0);
  CHECK(scaled_gradients(formats::f16, 0x1p24, 1).overflowed > 0.001);
}

TEST_CASE("updates are lost without a copy in f32, and not with one") {
  const auto half = updated_weights(formats::f16, 1), brain = updated_weights(formats::bf16, 1),
             single = updated_weights(formats::f32, 1);
  CHECK(half.lost == Approx(predicted_lost_updates(formats::f16)).margin(0.02));
  CHECK(brain.lost == Approx(predicted_lost_updates(formats::bf16)).margin(0.02));
  CHECK(single.lost == 0);
  CHECK(brain.error > 20 * single.error);
  CHECK(predicted_lost_updates(formats::f16) == Approx(6.5 / 12));
}
