// A proof holds for exactly the stated work and falls for one element more or less of anything.
#include "bench/harness/proof.hpp"

#include <catch2/catch.hpp>
#include <map>

using namespace ridge;
using bench::prove;

namespace {

record::Work stated() {
  record::Work work;
  work.bytes_read = 2000;
  work.bytes_written = 1000;
  work.operations = 250;
  return work;
}

device::Counted counted() {
  device::Counted c;
  c.bytes_read = 2000;
  c.bytes_written = 1000;
  c.flops = 250;
  return c;
}

}  // namespace

TEST_CASE("work that is what was counted is proven") {
  const auto proof = prove(stated(), {}, counted());
  CHECK(proof.proven);
  CHECK(proof.difference.empty());
}

TEST_CASE("one element more or less in any statement is no proof, and the difference is named") {
  for (const int by : {-8, 8}) {
    auto work = stated();
    *work.bytes_read += by;
    CHECK_FALSE(prove(work, {}, counted()).proven);
    work = stated();
    *work.bytes_written += by;
    CHECK_FALSE(prove(work, {}, counted()).proven);
    work = stated();
    *work.operations += by / 8;
    CHECK_FALSE(prove(work, {}, counted()).proven);
  }
  auto work = stated();
  *work.bytes_written += 8;
  CHECK(prove(work, {}, counted()).difference == "bytes written: stated 1008, counted 1000");
}

TEST_CASE("what is done besides is explained by name, and only that much") {
  auto c = counted();
  c.bytes_written += 64;
  c.flops += 31;
  CHECK_FALSE(prove(stated(), {}, c).proven);
  CHECK(prove(stated(), {{"partial sums", 0, 64, 0}, {"joining them", 0, 0, 31}}, c).proven);
  CHECK(prove(stated(), {{"partial sums", 0, 72, 0}}, c).difference ==
        "bytes written: stated 1000 and 72 besides, counted 1064; operations: stated 250, counted 281");
}

TEST_CASE("what is not stated is not compared, but something must be") {
  record::Work bytes_only;
  bytes_only.bytes_read = 2000;
  CHECK(prove(bytes_only, {}, counted()).proven);
  CHECK_FALSE(prove({}, {}, counted()).proven);
}

TEST_CASE("operations given in OP/s are atomic ones where there were any") {
  using bench::Rate;
  const bench::MetricRule ops{"ops", record::Unit::op_per_second, record::Better::higher, Rate::operations};
  const bench::MetricRule flops{"flops", record::Unit::flop_per_second, record::Better::higher, Rate::operations};
  const bench::MetricRule time{"time", record::Unit::seconds, record::Better::lower, Rate::time};
  auto c = counted();
  CHECK(bench::with_operations(c, std::vector{ops, time}).flops == 250);
  c.atomics = 12;
  CHECK(bench::with_operations(c, std::vector{time, ops}).flops == 12);
  CHECK(bench::with_operations(c, std::vector{flops}).flops == 250);
  CHECK(bench::with_operations(c, {}).flops == 250);
}

TEST_CASE("the metrics hold the verdict and what was counted") {
  auto c = counted();
  c.requests = 10;
  c.sectors = 40;
  const auto metrics = bench::counted_metrics({false, "x"}, c);
  REQUIRE(metrics.size() == 8);
  CHECK(metrics[0].name == "work_proven");
  CHECK(metrics[0].value == 0.0);
  CHECK(metrics[3].value == 2000.0);
  CHECK(metrics[5].name == "sectors_per_request");
  CHECK(metrics[5].value == 4.0);
  CHECK(bench::counted_metrics({true, {}}, {})[0].value == 1.0);
  c.instructions = 20;
  c.lanes = 320;
  c.floating_instructions = 10;
  c.floating_lanes = 80;
  c.atomics = 64;
  c.atomic_requests = 2;
  c.atomic_turns = 33;
  c.launches = 3;
  std::map<std::string, double> by_name;
  for (const record::Metric& each : bench::counted_metrics({true, {}}, c)) by_name[each.name] = each.value.value();
  CHECK(by_name.at("warp_efficiency") == 0.5);
  CHECK(by_name.at("floating_warp_efficiency") == 0.25);
  CHECK(by_name.at("counted_atomics") == 64);
  CHECK(by_name.at("turns_per_atomic") == 16.5);
  CHECK(by_name.at("launches") == 3);
}
