// Work and buffers of a point, every algorithm's case, what a wrong sum leads to, and conclusions from known times.
#include <catch2/catch.hpp>

#include "collectives/allreduce/analysis.hpp"
#include "collectives/allreduce/definition.hpp"
#include "collectives/allreduce/points.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace ar = ridge::bench::allreduce;
using Catch::Contains;

namespace {

record::Point point_of(const std::string& algorithm, std::int64_t size, std::int64_t ranks,
                       const std::string& dtype = "f32", const std::string& op = "sum",
                       const std::string& place = "out") {
  record::Point point;
  point.set("size", size);
  point.set("dtype", dtype);
  point.set("op", op);
  point.set("place", place);
  point.set("ranks", ranks);
  point.set("algorithm", algorithm);
  return point;
}

record::Record timed(const std::string& algorithm, std::int64_t size, double seconds, std::int64_t ranks = 2,
                     const char* level = "L2") {
  record::Record r;
  r.benchmark = "allreduce";
  r.device = "cpu";
  r.point = point_of(algorithm, size, ranks);
  r.status = record::Status::ok;
  r.statistics.median = seconds;
  r.method.level = level;
  return r;
}

}  // namespace

TEST_CASE("work is the least that any all-reduce does, and buffers are what the algorithm needs") {
  const auto work = ar::work(point_of("ring", 1002, 3));
  CHECK(work.bytes_read == 3 * 1000);
  CHECK(work.bytes_written == 3 * 1000);
  CHECK(work.operations == 2 * 250);
  CHECK(ar::buffers(point_of("ring", 1000, 3)).size() == 6);
  CHECK(ar::buffers(point_of("ring", 1000, 3, "f32", "sum", "in")).size() == 3);
  CHECK(ar::buffers(point_of("recursive_doubling", 1000, 3)).size() == 9);
  CHECK(ar::unsupported(point_of("ring", 7, 2, "f64")).value() == "a size of 7 bytes is below one element of 8 bytes");
  CHECK_FALSE(ar::unsupported(point_of("ring", 8, 2, "f64")));
}

TEST_CASE("every algorithm is verified as it is measured, in place and not, and stays right after being run") {
  const auto device = device::cpu::make_device();
  for (const collectives::Algorithm* algorithm : collectives::all_algorithms())
    for (const std::string dtype : {"f32", "f64", "int32"})
      for (const std::string place : {"in", "out"})
        for (const std::int64_t ranks : {1, 2, 3})
          for (const std::int64_t size : {8, 1000, 100'000}) {
            const auto point = point_of(std::string(algorithm->name), size, ranks, dtype, "sum", place);
            CAPTURE(point.to_text());
            std::int64_t needed = 0;
            for (const std::int64_t bytes : ar::buffers(point)) needed += device::borrow_cost(bytes);
            const auto arena = device->make_arena(needed);
            CpuContext context{*device, *arena, 1, size == 8 ? Fill::zero : Fill::random};
            const auto prepared = ar::prepare_cpu(context, point);
            const auto verified = prepared->verify();
            CHECK(verified.reason.empty());
            CHECK(verified.status == record::Check::passed);
            CHECK(verified.checked == ar::count_of(point) * ranks);
            prepared->run(3);
            CHECK(prepared->verify().status == record::Check::passed);
          }
}

TEST_CASE("bus bandwidth is what a link must carry, and one rank has none") {
  CHECK_FALSE(ar::bus_factor(1));
  CHECK(ar::bus_factor(2).value() == 1);
  CHECK(ar::bus_factor(4).value() == 1.5);
  std::vector<record::Record> records{timed("ring", 1 << 20, 1e-3, 4), timed("ring", 1 << 20, 1e-3, 1)};
  const auto findings = ar::conclude(records);
  CHECK(records[0].metric("algbw")->value == Approx((1 << 20) / 1e-3));
  CHECK(records[0].metric("busbw")->value == Approx(1.5 * (1 << 20) / 1e-3));
  CHECK_FALSE(records[1].metric("busbw")->value);
  CHECK(records[1].metric("algbw")->value);
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings[0].message, Contains("no busbw"));
}

TEST_CASE("models follow the times they are made from, in caches and beyond, and say where algorithms cross") {
  for (const double slower : {1.0, 3.0}) {
    std::vector<record::Record> records;
    for (const std::int64_t size : {8, 1024, 65536, 1048576}) {
      const auto s = static_cast<double>(size);
      records.push_back(timed("recursive_doubling", size, slower * (1e-6 + s * 4e-10)));
      records.push_back(timed("ring", size, slower * (3e-6 + s * 2e-10)));
    }
    for (const std::int64_t size : {16 << 20, 32 << 20, 64 << 20})
      records.push_back(timed("ring", size, slower * static_cast<double>(size) * 1e-9, 2, "memory"));
    const auto findings = ar::conclude(records);
    CHECK(records[0].metric("predicted_time")->value == Approx(slower * (1e-6 + 8 * 4e-10)));
    CHECK(records[3].metric("predicted_time")->value == Approx(slower * (3e-6 + 1024 * 2e-10)));
    CHECK(records.back().metric("predicted_time")->value == Approx(slower * (64 << 20) * 1e-9));
    REQUIRE(findings.size() == 3);
    CHECK_THAT(findings[1].message, Contains("ring") && Contains("beyond") && Contains("off by 0 %"));
    CHECK_THAT(findings[1].message, Contains(slower == 1.0 ? "3 us (1.5 us a step)" : "9 us (4.5 us a step)"));
    // 2 µs of steps against 0.2 ns a byte.
    CHECK_THAT(findings[2].message, Contains("ring overtakes recursive_doubling at 64 KiB, predicted 10 kB"));
    const auto lines = ar::key_figures(records);
    REQUIRE(lines.size() == 1);
    CHECK_THAT(lines[0], Contains("allreduce cpu, 2 ranks: 8 B in") && Contains("64 MiB at") && Contains("(ring)"));
  }
}

TEST_CASE("nothing is concluded from records without a time") {
  std::vector<record::Record> records{timed("ring", 8, 1e-6)};
  records[0].status = record::Status::failed;
  CHECK(ar::conclude(records).empty());
  CHECK(records[0].metrics.empty());
  CHECK(ar::key_figures(records).empty());
}
