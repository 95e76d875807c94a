// The pieces of the rule against figures from tables and from simulation.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "reports/compare/median.hpp"
#include "reports/compare/moderation.hpp"
#include "reports/compare/shift.hpp"

using namespace ridge::compare;

TEST_CASE("the median of an even number is the mean of the middle two") {
  CHECK(median_of({3}) == 3);
  CHECK(median_of({4, 1}) == 2.5);
  CHECK(median_of({9, 1, 5}) == 5);
  CHECK(median_of({8, 2, 4, 100}) == 6);
}

TEST_CASE("the variance of a median of normal values is the tabulated one") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {1, 2, 3, 4, 7, 10, 20, 21, 40}) {
    constexpr int trials = 40000;
    double squares = 0;
    for (int t = 0; t < trials; ++t) {
      std::vector<double> values(n);
      for (double& value : values) value = normal(random);
      const double median = median_of(std::move(values));
      squares += median * median;
    }
    CHECK(squares / trials == Approx(median_variance(n)).epsilon(n > 20 ? 0.05 : 0.025));
  }
}

TEST_CASE("the inverse of the trigamma function") {
  CHECK(inverse_trigamma(1.6449340668482264) == Approx(1));    // ψ'(1) = π²/6
  CHECK(inverse_trigamma(4.934802200544679) == Approx(0.5));   // ψ'(1/2) = π²/2
  CHECK(inverse_trigamma(0.10516633568168575) == Approx(10));  // ψ'(10)
  CHECK(inverse_trigamma(1e-8) == Approx(1e8));
}

TEST_CASE("a prior is found again from the variances it made") {
  std::mt19937_64 random(2);
  constexpr double prior_freedom = 8;
  constexpr double prior_variance = 4;
  constexpr double freedom = 11;
  std::vector<Spread> spreads;
  for (int i = 0; i < 20000; ++i) {
    const double truth = prior_variance * prior_freedom / std::chi_squared_distribution<double>(prior_freedom)(random);
    spreads.push_back({truth * std::chi_squared_distribution<double>(freedom)(random) / freedom, freedom});
  }
  const Prior prior = fit_prior(spreads);
  CHECK(prior.freedom == Approx(prior_freedom).epsilon(0.05));
  CHECK(prior.variance == Approx(prior_variance).epsilon(0.03));
}

TEST_CASE("one metric has no prior, and few metrics cannot make each other certain") {
  CHECK(fit_prior(std::vector<Spread>{{1, 9}}).freedom == 0);
  CHECK(fit_prior(std::vector<Spread>{{1, 9}, {0, 9}, {2, 0}}).freedom == 0);
  CHECK(fit_prior(std::vector<Spread>{{1, 9}, {1, 9}, {1, 9}}).freedom == 18);
  CHECK(moderated({4, 10}, {1, 20}) == Approx(2));
}

TEST_CASE("a common movement needs most metrics, the same direction and more than half a tolerance") {
  std::vector<Moved> all(10, {0.08, 0.01, 0.05});
  REQUIRE(uniform_shift(all));
  CHECK(*uniform_shift(all) == Approx(0.08));
  all[0].slowdown = all[1].slowdown = 0;
  CHECK(uniform_shift(all));
  CHECK_FALSE(moves_with(all[0], 0.08));
  all[2].slowdown = -0.08;
  CHECK_FALSE(uniform_shift(all));
  CHECK_FALSE(uniform_shift(std::vector<Moved>(4, {0.08, 0.01, 0.05})));
  CHECK_FALSE(uniform_shift(std::vector<Moved>(10, {0.02, 0.01, 0.05})));
}
