// Figures by name, and a long run's beginning against its end.
#include "bench/harness/told.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace ridge;
using record::Better;
using record::Unit;

TEST_CASE("a case's own figures fill the metrics of their names, and only numbers do") {
  std::vector<record::Metric> metrics{{"error", {}, Unit::ratio, Better::lower, {}, {}},
                                      {"worst_error", {}, Unit::ratio, Better::lower, {}, {}}};
  const std::vector<bench::Figure> figures{{"worst_error", HUGE_VAL}, {"error", 0.25}};
  bench::assign_figures(metrics, figures);
  CHECK(metrics[0].value == 0.25);
  CHECK_FALSE(metrics[1].value);
  const std::vector<bench::Figure> unknown{{"errors", 1}};
  CHECK_THROWS_AS(bench::assign_figures(metrics, unknown), std::logic_error);
}

TEST_CASE("a sustained run holds its first second against its last ten") {
  record::Record r;
  r.metrics.push_back({"flops", 100.0, Unit::flop_per_second, Better::higher, {}, {}});
  r.method.repetitions = 10;
  r.samples.assign(30, 0.2);  // seconds per repetition: two seconds an interval
  r.samples.front() = 0.1;
  r.statistics.median = 0.2;
  const auto sustained = [](record::Record record, const std::vector<bench::Moment>& moments = {}) {
    bench::assign_sustained(record, moments);
    return record;
  };
  const record::Record long_enough = sustained(r);
  REQUIRE(long_enough.metric("first_second"));
  CHECK(*long_enough.metric("first_second")->value == Approx(200));
  CHECK(*long_enough.metric("last_ten_seconds")->value == Approx(100));
  CHECK(*long_enough.metric("sustained_share")->value == Approx(0.5));
  CHECK_FALSE(long_enough.metric("first_second_clock"));
  // Clock and power beside them, as far as they were told.
  std::vector<bench::Moment> moments(30, bench::Moment{2e9, 250.0});
  moments.front() = {3e9, 400.0};
  moments[15] = {1e9, 100.0};
  moments.back() = {};
  const record::Record beside = sustained(r, moments);
  REQUIRE(beside.metric("last_ten_seconds_power"));
  CHECK(*beside.metric("first_second_clock")->value == 3e9);
  CHECK(*beside.metric("last_ten_seconds_clock")->value == 2e9);
  CHECK(*beside.metric("first_second_power")->value == 400);
  CHECK(*beside.metric("last_ten_seconds_power")->value == 250);
  CHECK(beside.metric("last_ten_seconds_power")->unit == Unit::watt);
  for (bench::Moment& moment : moments) moment.power_w.reset();
  CHECK(sustained(r, moments).metric("first_second_clock"));
  CHECK_FALSE(sustained(r, moments).metric("first_second_power"));
  CHECK_FALSE(sustained(r, moments).metric("last_ten_seconds_power"));
  moments.pop_back();  // of another run
  CHECK_FALSE(sustained(r, moments).metric("first_second_clock"));
  r.samples.resize(19);
  CHECK_FALSE(sustained(r).metric("first_second"));
  r.samples.assign(30, 0.01);
  r.statistics.median = 0.01;  // a tenth of a second an interval
  CHECK_FALSE(sustained(r).metric("first_second"));
}
