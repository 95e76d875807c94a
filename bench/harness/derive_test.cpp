// Rates and peaks by hand-computed figures.
#include "bench/harness/derive.hpp"

#include <catch2/catch.hpp>

using namespace ridge;
using record::Better;
using record::Unit;

namespace {

const std::vector<bench::MetricRule> rules{{"bandwidth", Unit::bytes_per_second, Better::higher, bench::Rate::bytes},
                                           {"flops", Unit::flop_per_second, Better::higher, bench::Rate::operations},
                                           {"latency", Unit::seconds, Better::lower, bench::Rate::items_latency},
                                           {"time", Unit::seconds, Better::lower, bench::Rate::time}};

record::Record measured(const std::string& name, const std::string& level, double bandwidth) {
  record::Record r;
  r.benchmark = name;
  r.device = "cpu";
  r.status = record::Status::ok;
  r.method.level = level;
  r.point.set("threads", std::int64_t{2});
  record::Metric metric;
  metric.name = "bandwidth";
  metric.unit = Unit::bytes_per_second;
  metric.value = bandwidth;
  r.metrics.push_back(metric);
  return r;
}

}  // namespace

TEST_CASE("rates are derived from the stated work and the median time") {
  record::Work work;
  work.bytes_read = 2000;
  work.bytes_written = 1000;
  work.operations = 500;
  work.items = 100;
  record::Statistics statistics;
  statistics.median = 0.5;
  const auto metrics = bench::derive(rules, work, statistics);
  REQUIRE(metrics.size() == 4);
  CHECK(*metrics[0].value == 6000.0);
  CHECK(*metrics[1].value == 1000.0);
  CHECK(*metrics[2].value == 0.005);
  CHECK(*metrics[3].value == 0.5);
  CHECK(metrics[2].better == Better::lower);
}

TEST_CASE("work that is not stated, or time that was not taken, gives no value") {
  record::Statistics statistics;
  CHECK_FALSE(bench::derive(rules, {}, statistics)[3].value);
  statistics.median = 1.0;
  const auto metrics = bench::derive(rules, {}, statistics);
  CHECK_FALSE(metrics[0].value);
  CHECK_FALSE(metrics[1].value);
  CHECK_FALSE(metrics[2].value);
  CHECK(*metrics[3].value == 1.0);
}

TEST_CASE("the best of a level in this run is the peak of all of that level") {
  std::vector<record::Record> records{measured("read", "memory", 40e9), measured("triad", "memory", 30e9),
                                      measured("read", "L1", 200e9)};
  bench::assign_measured_peaks(records);
  CHECK(records[0].metrics[0].peak->value == 40e9);
  CHECK(*records[0].metrics[0].percent_of_peak == 100.0);
  CHECK(*records[1].metrics[0].percent_of_peak == 75.0);
  CHECK(records[1].metrics[0].peak->source == "measured in this run: read in memory");
  CHECK_FALSE(records[2].metrics[0].peak);  // alone in its level
}

TEST_CASE("a failed record neither sets nor gets a measured peak") {
  std::vector<record::Record> records{measured("read", "memory", 40e9), measured("triad", "memory", 30e9),
                                      measured("copy", "memory", 900e9)};
  records[2].status = record::Status::failed;
  bench::assign_measured_peaks(records);
  CHECK(*records[1].metrics[0].percent_of_peak == 75.0);
  CHECK_FALSE(records[2].metrics[0].peak);
}

TEST_CASE("above 105 % of a known peak a number is suspect") {
  record::Record r = measured("read", "memory", 106e9);
  r.metrics[0].peak = record::Peak{100e9, "table: DDR"};
  bench::judge_against_peak(r);
  CHECK(r.status == record::Status::suspect);
  CHECK(r.reason == "bandwidth is 106 % of its peak (table: DDR)");
  record::Record fine = measured("read", "memory", 105e9);
  fine.metrics[0].peak = record::Peak{100e9, "table: DDR"};
  bench::judge_against_peak(fine);
  CHECK(fine.status == record::Status::ok);
}
