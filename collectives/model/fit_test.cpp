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

// An algorithm that has `load` done on a machine with these terms, a join among it that takes `call` more each time.
std::vector<Timed> machine(double alpha, double beta, double gamma, const Load& load, double call = 0) {
  std::vector<Timed> timed;
  for (double bytes = 8; bytes < 1e8; bytes *= 16)
    timed.push_back({bytes, alpha + bytes * (load.passed * beta + load.joined * gamma), call + bytes * gamma});
  return timed;
}

TEST_CASE("alpha, beta and gamma that made the times are found again") {
  for (const Load& load : {Load{1, 0.5}, Load{2, 2}, Load{3, 0.25}})
    for (const double beta : {1e-10, 2e-9})
      for (const double gamma : {1e-10, 8e-10}) {
        const auto model = fit(machine(3e-6, beta, gamma, load, 2e-8)).value();
        CHECK(model.alpha == Approx(3e-6));
        CHECK(model.gamma.value() == Approx(gamma));
        CHECK(model.beta(load).value() == Approx(beta));
        CHECK(model.residual < 1e-9);
        // With another load it is that machine again.
        const Load other{6, 4};
        CHECK(model.with(load, other).seconds_per_byte == Approx(6 * beta + 4 * gamma));
        CHECK(model.with(load, other).alpha == model.alpha);
      }
}

TEST_CASE("a slower join leaves less to passing, and moves what another load takes") {
  const Load from{1, 1};
  const Load to{4, 3};  // more of it passed, and not joined
  auto slow = machine(1e-6, 5e-10, 2e-10, from);
  auto fast = slow;
  for (Timed& each : fast) *each.joining /= 2;
  const auto with_slow = fit(slow).value();
  const auto with_fast = fit(fast).value();
  CHECK(with_slow.seconds_per_byte == with_fast.seconds_per_byte);
  CHECK(with_fast.beta(from).value() == Approx(6e-10));
  CHECK(with_slow.with(from, to).seconds_per_byte == Approx(4 * 5e-10 + 3 * 2e-10));
  CHECK(with_fast.with(from, to).seconds_per_byte == Approx(4 * 6e-10 + 3 * 1e-10));
}

TEST_CASE("where joining leaves nothing, or no more than the model is off by, passing has no rate") {
  const Load load{1, 1};
  for (const double join : {1.0, 1.5, 0.96}) {
    auto timed = machine(1e-6, 0, 4e-10, load);
    for (Timed& each : timed) *each.joining *= join;
    const auto model = fit(timed).value();
    CHECK(model.gamma);
    CHECK_FALSE(model.beta(load));
    // All that a byte takes goes with the bytes joined.
    CHECK(model.with(load, {4, 3}).seconds_per_byte == Approx(3 * 4e-10));
  }
  auto timed = machine(1e-6, 0.2e-10, 1.8e-10, load);
  CHECK(fit(timed).value().beta(load));
  double sign = 1;
  for (Timed& each : timed) each.seconds *= 1 + 0.2 * (sign = -sign);
  CHECK(fit(timed).value().residual > 0.15);
  CHECK_FALSE(fit(timed).value().beta(load));
}

TEST_CASE("without the joins of three sizes, or joins that grow with them, there is no gamma") {
  auto timed = machine(1e-6, 1e-9, 1e-10, {1, 0.5});
  timed[0].joining.reset();  // a single element is not joined by itself
  CHECK(fit(timed).value().gamma.value() == Approx(1e-10));
  for (std::size_t i = 1; i < timed.size() - 2; ++i) timed[i].joining.reset();
  const auto model = fit(timed).value();
  CHECK_FALSE(model.gamma);
  CHECK_FALSE(model.beta({1, 0.5}));
  CHECK(model.with({1, 0.5}, {1.5, 0.75}).seconds_per_byte == Approx(1.5 * model.seconds_per_byte));
  for (Timed& each : timed) each.joining = 1e-8 / (1 + each.bytes);
  CHECK_FALSE(fit(timed).value().gamma);
  // An algorithm that joins nothing has no use for it.
  CHECK(fit(machine(1e-6, 1e-9, 1e-10, {1, 0})).value().with({1, 0}, {3, 0}).seconds_per_byte == Approx(3e-9));
}

TEST_CASE("a line through zero leaves joining one through zero as well") {
  std::vector<Timed> timed;
  for (const double bytes : {1e6, 2e6, 4e6}) timed.push_back({bytes, bytes * 1e-9 - 5e-5, bytes * 4e-10});
  const auto model = fit(timed).value();
  CHECK(model.alpha == 0);
  CHECK(model.gamma.value() == Approx(4e-10));
}

TEST_CASE("models cross where few steps stop to be worth whole arrays") {
  const Model few_steps{1e-6, 4e-10, 0};
  const Model few_bytes{3e-6, 2e-10, 0};
  CHECK(crossover(few_steps, few_bytes).value() == Approx(1e4));
  CHECK_FALSE(crossover(few_steps, few_steps));
  CHECK_FALSE(crossover(few_steps, {2e-6, 5e-10, 0}));
}
