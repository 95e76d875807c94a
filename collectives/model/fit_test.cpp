// Models of times that were made from known terms, and of times that fit none.
#include "collectives/model/fit.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace ridge::collectives;

namespace {

std::vector<Timed> line(double alpha, double per_byte, double off = 0) {
  std::vector<Timed> timed;
  double sign = 1;
  for (double bytes = 8; bytes < 1e9; bytes *= 16, sign = -sign)
    timed.push_back({bytes, (alpha + bytes * per_byte) * (1 + sign * off)});
  return timed;
}

}  // namespace

TEST_CASE("the terms that made the times are found again, whatever their size") {
  for (const double alpha : {1e-7, 2e-5})
    for (const double per_byte : {1e-10, 3e-9}) {
      const auto model = fit(line(alpha, per_byte)).value();
      CHECK(model.alpha == Approx(alpha));
      CHECK(model.seconds_per_byte == Approx(per_byte));
      CHECK(model.residual < 1e-9);
      CHECK(model.half_size() == Approx(alpha / per_byte));
      CHECK(model.rate() == Approx(1 / per_byte));
      CHECK(model.time(1 << 20) == Approx(alpha + (1 << 20) * per_byte));
    }
}

TEST_CASE("times beside the line leave a residual of that size") {
  const auto model = fit(line(1e-6, 1e-10, 0.1)).value();
  CHECK(model.residual > 0.05);
  CHECK(model.residual < 0.15);
}

TEST_CASE("no term is negative, and too few sizes give no model") {
  const std::vector<Timed> falling{{8, 3e-6}, {64, 2e-6}, {512, 1e-6}};
  CHECK(fit(falling).value().seconds_per_byte == 0);
  CHECK(fit(falling).value().alpha > 0);
  const std::vector<Timed> steep{{1000, 1e-6}, {2000, 4e-6}, {4000, 16e-6}};
  CHECK(fit(steep).value().alpha == 0);
  CHECK_FALSE(fit(std::vector<Timed>{{8, 1e-6}, {16, 1e-6}}));
  CHECK_FALSE(fit(std::vector<Timed>{{8, 1e-6}, {8, 1e-6}, {16, 1e-6}}));
  CHECK_FALSE(fit(std::vector<Timed>{{8, 0}, {16, 1e-6}, {32, 1e-6}}));
}

TEST_CASE("models cross where few steps stop to be worth whole arrays") {
  const Model few_steps{1e-6, 4e-10, 0};
  const Model few_bytes{3e-6, 2e-10, 0};
  CHECK(crossover(few_steps, few_bytes).value() == Approx(1e4));
  CHECK_FALSE(crossover(few_steps, few_steps));
  CHECK_FALSE(crossover(few_steps, {2e-6, 5e-10, 0}));
}
