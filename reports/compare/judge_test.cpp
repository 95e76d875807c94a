// Each verdict that figures alone can lead to, and what each depends on.
#include "reports/compare/judge.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace ridge::compare;
using ridge::record::Better;

namespace {

const std::vector<double> ten{100, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.8, 99.2, 100};

Series series(double factor, Better better = Better::lower) {
  return {ten, {100 * factor, 100.6 * factor, 99.4 * factor}, better, {}};
}

Judgement one(const Series& each, const Settings& settings = {}) {
  return judge(std::vector<Series>{each}, settings).judgements.front();
}

}  // namespace

TEST_CASE("unchanged runs are the same") {
  const auto result = one(series(1));
  CHECK(result.verdict == Verdict::same);
  CHECK(result.reason.empty());
  CHECK(std::abs(result.slowdown) < 0.01);
  CHECK(*result.lower < 0);
  CHECK(*result.upper > 0);
  CHECK(*result.detectable < 0.10);
  CHECK(result.tolerance == Approx(0.05));
  CHECK(*result.noise == Approx(0.006).epsilon(0.2));
}

TEST_CASE("a metric is judged in its own direction") {
  CHECK(one(series(1.10)).verdict == Verdict::regressed);
  CHECK(one(series(0.90)).verdict == Verdict::improved);
  CHECK(one(series(1.10, Better::higher)).verdict == Verdict::improved);
  const auto worse = one(series(1 / 1.10, Better::higher));
  CHECK(worse.verdict == Verdict::regressed);
  CHECK(worse.slowdown == Approx(0.10).epsilon(0.01));
}

TEST_CASE("a significant change within the tolerance is none") {
  CHECK(one(series(1.03)).verdict == Verdict::same);
  auto tight = series(1.03);
  tight.tolerance = {0.02, false, 0, "rule"};
  CHECK(one(tight).verdict == Verdict::regressed);
}

TEST_CASE("a change below the absolute floor is none") {
  auto tiny = series(1.10);
  tiny.tolerance.absolute = 15;
  CHECK(one(tiny).verdict == Verdict::same);
  tiny.tolerance.absolute = 5;
  CHECK(one(tiny).verdict == Verdict::regressed);
}

TEST_CASE("a tolerance is learned from a noisy baseline unless a rule fixes it") {
  Series noisy{{100, 110, 90, 104, 96, 108, 92, 102, 98, 100}, {120, 121, 119}, Better::lower, {}};
  const auto learned = one(noisy);
  CHECK(learned.tolerance > 0.25);
  CHECK(learned.verdict == Verdict::same);
  noisy.tolerance = {0.05, false, 0, "rule"};
  CHECK(one(noisy).verdict == Verdict::regressed);
}

TEST_CASE("wide data is undecided and says what it could have seen") {
  Series wide{{100, 130, 80, 110, 90}, {112}, Better::lower, {0.05, false, 0, "rule"}};
  auto result = one(wide);
  CHECK(result.verdict == Verdict::undecided);
  CHECK(result.reason.find("within what noise can do") != std::string::npos);
  CHECK(*result.detectable > 0.5);
  wide.fresh = {101};
  result = one(wide);
  CHECK(result.verdict == Verdict::undecided);
  CHECK(result.reason.find("too noisy to exclude") != std::string::npos);
}

TEST_CASE("with one run on each side the tolerance alone decides, and that is said") {
  const Series worse{{100}, {106}, Better::lower, {}};
  CHECK(one(worse).verdict == Verdict::regressed);
  CHECK(one(worse).reason == "no spread known, tolerance only");
  CHECK_FALSE(one(worse).detectable);
  CHECK_FALSE(one(worse).lower);
  CHECK(one({{100}, {104}, Better::lower, {}}).verdict == Verdict::same);
  CHECK(one({{100}, {90}, Better::lower, {}}).verdict == Verdict::improved);
}

TEST_CASE("a baseline of one run borrows the noise of the new runs") {
  const auto result = one({{100}, {120, 121, 119, 120}, Better::lower, {}});
  CHECK(result.verdict == Verdict::regressed);
  CHECK(result.detectable.has_value());
}

TEST_CASE("an improvement beyond belief is invalid") {
  CHECK(one(series(0.25)).verdict == Verdict::invalid);
  CHECK(one(series(0.25)).reason.find("factor of 4") != std::string::npos);
  Settings believing;
  believing.implausible = 10;
  CHECK(one(series(0.25), believing).verdict == Verdict::improved);
}

TEST_CASE("the more metrics, the more evidence each of them needs") {
  Series weak{{100, 101, 99, 100.5, 99.5}, {104.5}, Better::lower, {0.01, false, 0, "rule"}};
  CHECK(one(weak).verdict == Verdict::regressed);
  std::vector<Series> many(1000, weak);
  for (std::size_t i = 1; i < many.size(); ++i) many[i].fresh = {100};
  CHECK(judge(many, {}).judgements.front().detectable > one(weak).detectable);
}

TEST_CASE("deterministic metrics regress by any change beyond the tolerance") {
  CHECK(one({{8, 8, 8}, {9, 9, 9}, Better::lower, {}}).verdict == Verdict::regressed);
  CHECK(one({{8, 8, 8}, {8, 8, 8}, Better::lower, {}}).verdict == Verdict::same);
}

TEST_CASE("a shift of everything is told apart from a single regression") {
  std::vector<Series> all(20, series(1.10));
  auto judged = judge(all, {});
  REQUIRE(judged.pooled.shift);
  CHECK(*judged.pooled.shift == Approx(0.10).epsilon(0.02));
  CHECK(judged.judgements.front().verdict == Verdict::regressed);
  CHECK(judged.judgements.front().uniform_shift);
  for (std::size_t i = 1; i < all.size(); ++i) all[i] = series(1);
  judged = judge(all, {});
  CHECK_FALSE(judged.pooled.shift);
  CHECK_FALSE(judged.judgements.front().uniform_shift);
}

TEST_CASE("a baseline that drifts loosens the judgement") {
  std::vector<Series> all;
  for (int i = 0; i < 20; ++i) {
    Series each;
    for (int k = 0; k < 10; ++k) each.base.push_back(100 + k + 0.1 * ((i * 7 + k * 3) % 5));
    each.fresh = {100, 100, 100};
    all.push_back(each);
  }
  CHECK(judge(all, {}).pooled.drift > 2);
  for (Series& each : all) std::swap(each.base[1], each.base[8]), std::swap(each.base[3], each.base[9]);
  CHECK(judge(all, {}).pooled.drift < 1.5);
}

TEST_CASE("values that have no ratio are refused, and no metrics are no error") {
  CHECK_THROWS_AS(one({{0}, {1}, Better::lower, {}}), std::invalid_argument);
  CHECK_THROWS_AS(one({{1}, {-1}, Better::lower, {}}), std::invalid_argument);
  CHECK_THROWS_AS(one({{1}, {NAN}, Better::lower, {}}), std::invalid_argument);
  CHECK(judge({}, {}).judgements.empty());
}

TEST_CASE("verdicts have the names that reports use") {
  CHECK(to_string(Verdict::added) == "new");
  CHECK(to_string(Verdict::not_comparable) == "not_comparable");
}
