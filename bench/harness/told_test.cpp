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
  const auto sustained = [](record::Record record) {
    bench::assign_sustained(record);
    return record;
  };
  const record::Record long_enough = sustained(r);
  REQUIRE(long_enough.metric("first_second"));
  CHECK(*long_enough.metric("first_second")->value == Approx(200));
  CHECK(*long_enough.metric("last_ten_seconds")->value == Approx(100));
  CHECK(*long_enough.metric("sustained_share")->value == Approx(0.5));
  r.samples.resize(19);
  CHECK_FALSE(sustained(r).metric("first_second"));
  r.samples.assign(30, 0.01);
  r.statistics.median = 0.01;  // a tenth of a second an interval
  CHECK_FALSE(sustained(r).metric("first_second"));
}
