// The rank test against counts on paper.
#include "reports/compare/study/rank.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace ridge::study;

TEST_CASE("the rank test counts orders exactly") {
  const std::vector<double> low{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::vector<double> high{11, 12, 13};
  CHECK(rank_probability(high, low) == Approx(1.0 / 286));
  CHECK(rank_probability(std::vector<double>{9.5, 12, 13}, low) == Approx(2.0 / 286));
  CHECK(rank_probability(low, high) == Approx(1));
  CHECK(rank_probability(std::vector<double>{5}, std::vector<double>{5}) == Approx(1));  // a tie is no evidence
}

TEST_CASE("the rank test's approximation for many runs meets the exact one") {
  std::vector<double> a;
  std::vector<double> b;
  for (int i = 0; i < 20; ++i) {
    a.push_back(i + 5.5);
    b.push_back(i);
  }
  const double exact = rank_probability(a, b);
  a.push_back(15.25);
  CHECK(rank_probability(a, b) == Approx(exact).epsilon(0.15));
}
