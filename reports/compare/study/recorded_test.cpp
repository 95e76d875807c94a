// Recorded runs are read and written, and splits count what they should.
#include "reports/compare/study/recorded.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace ridge::study;
using ridge::record::Better;

namespace {

std::vector<Recorded> quiet(std::size_t metrics, std::size_t runs) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::vector<Recorded> all;
  for (std::size_t i = 0; i < metrics; ++i) {
    all.push_back({"m" + std::to_string(i), "B/s", i % 2 == 0 ? Better::higher : Better::lower, {}});
    for (std::size_t k = 0; k < runs; ++k) all.back().values.push_back(1e9 * (1 + 0.005 * normal(random)));
  }
  return all;
}

}  // namespace

TEST_CASE("recorded runs read back as they were written") {
  const auto metrics = quiet(3, 4);
  const auto again = parse_recorded("# comment\n" + to_text(metrics));
  REQUIRE(again.size() == 3);
  CHECK(again[1].name == "m1");
  CHECK(again[1].better == Better::lower);
  CHECK(again[2].values[3] == Approx(metrics[2].values[3]).epsilon(1e-5));
}

TEST_CASE("lines that are not recorded runs are refused by number") {
  for (const auto* bad : {"name\tB\thigher", "name\tB\tup\t1", "name\tB\tlower\tx", "name\tB\tlower\t0",
                          "a\tB\tlower\t1\nb\tB\tlower\t1\t2"})
    CHECK_THROWS_WITH(parse_recorded(bad), Catch::StartsWith("line "));
}

TEST_CASE("splits of quiet runs do not alarm, and planted slowdowns are seen in either direction") {
  const auto counts = random_splits(quiet(10, 40), 10, 3, 100, {}, 1);
  CHECK(counts.splits == 100);
  CHECK(counts.gate.alarms == 0);
  CHECK(counts.gate.missed == 0);
  CHECK(counts.five_percent.alarms == 0);
  CHECK(counts.five_percent.missed == 0);  // 10 % are planted
  CHECK(counts.mann_whitney.alarms > 5);
  CHECK(counts.mann_whitney.missed == 0);
  REQUIRE(counts.dials.size() == 3);
  for (const Dial& dial : counts.dials) {
    CAPTURE(dial.name);
    CHECK(dial.unchanged.size() == 100);
    CHECK(dial.planted.size() == 100);
    CHECK(dial.alarms_at_missed(100) == 0);  // a setting that no one reaches
  }
  CHECK(counts.dials[0].missed_at_alarms(0) == 0);  // 10 % stand far above the noise
  CHECK(counts.dials[0].at(1.05).alarms == counts.five_percent.alarms);
  CHECK(counts.dials[2].at(-std::log(0.05)).alarms == counts.mann_whitney.alarms);
  CHECK_THROWS_AS(random_splits(quiet(10, 12), 10, 3, 1, {}, 1), std::runtime_error);
}
