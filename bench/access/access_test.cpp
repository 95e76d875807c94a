// Sectors and lines by arithmetic, predictions that follow their constants, and every case on the CPU.
#include <catch2/catch.hpp>

#include "bench/access/analysis.hpp"
#include "bench/access/definition.hpp"
#include "bench/access/points.hpp"
#include "bench/access/transpose.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace ba = ridge::bench::access;

namespace {

record::Point point_of(const std::string& op, std::int64_t stride, const std::string& offset, const std::string& width,
                       std::int64_t size, std::int64_t threads = 1) {
  record::Point point;
  point.set("op", op);
  point.set("stride", stride);
  point.set("offset", offset);
  point.set("width", width);
  point.set("size", size);
  point.set("threads", threads);
  return point;
}

record::Record measured(const std::string& device, std::int64_t stride, const std::string& offset, double bandwidth) {
  record::Record r;
  r.benchmark = "access.stride";
  r.device = device;
  r.point = point_of("load", stride, offset, "4", 1 << 20);
  r.status = record::Status::ok;
  r.metrics.push_back({"bandwidth", bandwidth, record::Unit::bytes_per_second, record::Better::higher, {}, {}});
  return r;
}

}  // namespace

TEST_CASE("sectors of a request are those on paper") {
  CHECK(ba::sectors_per_request(1, 0, 4) == 4);
  CHECK(ba::sectors_per_request(2, 0, 4) == 8);
  CHECK(ba::sectors_per_request(4, 0, 4) == 16);
  for (const std::int64_t stride : {8, 16, 32, 64, 1000}) CHECK(ba::sectors_per_request(stride, 0, 4) == 32);
  CHECK(ba::sectors_per_request(1, 1, 4) == 5);
  CHECK(ba::sectors_per_request(1, 7, 4) == 5);
  CHECK(ba::sectors_per_request(1, 8, 4) == 4);
  CHECK(ba::sectors_per_request(1, 0, 1) == 1);
  CHECK(ba::sectors_per_request(1, 1, 1) == 2);
  CHECK(ba::sectors_per_request(1, 0, 16) == 16);
}

TEST_CASE("lines move whole, once for all elements in them") {
  const auto excess = [](std::int64_t stride, std::int64_t width) { return ba::line_excess({0, stride, 100}, width); };
  CHECK(excess(1, 4) == 1);
  CHECK(excess(2, 4) == 2);
  CHECK(excess(16, 4) == 16);
  CHECK(excess(64, 4) == 16);
  CHECK(excess(4, 16) == 4);
  CHECK(excess(64, 16) == 4);
  CHECK(excess(64, 1) == 64);
}

TEST_CASE("patterns count what they reach, and what they cannot reach is refused") {
  CHECK(ba::pattern_of(point_of("load", 1, "0", "4", 400)).count == 100);
  CHECK(ba::pattern_of(point_of("load", 3, "0", "4", 400)).count == 34);
  CHECK(ba::pattern_of(point_of("load", 3, "1", "4", 400)).count == 33);
  CHECK(ba::work(point_of("load", 3, "1", "4", 400)).bytes_read == 33 * 4);
  CHECK(ba::work(point_of("store", 3, "1", "4", 400)).bytes_written == 33 * 4);
  CHECK(ba::work(point_of("store", 3, "1", "4", 400)).bytes_read == 0);
  CHECK_FALSE(ba::unsupported(point_of("load", 64, "0", "4", 260)));
  CHECK(ba::unsupported(point_of("load", 64, "0", "4", 256)).value() ==
        "a stride of 64 elements is beyond the array of 64");
  CHECK(ba::unsupported(point_of("load", 1, "9", "4", 36)).value() ==
        "an offset of 9 elements is beyond the array of 9");
  CHECK(ba::unsupported(point_of("load", 1, "0", "16", 15)).value() ==
        "a size of 15 bytes is below one element of 16 bytes");
}

TEST_CASE("predictions start from the unbroken pattern of the same run and follow it") {
  for (const double base : {20e9, 50e9}) {
    std::vector<record::Record> records{measured("cpu", 1, "0", base), measured("cpu", 4, "0", base / 5),
                                        measured("cuda:0", 1, "0", 10 * base), measured("cuda:0", 4, "0", 2 * base),
                                        measured("cuda:0", 1, "1", 9 * base)};
    CHECK(ba::conclude(records).empty());
    CHECK(records[0].metric("predicted_bandwidth") == nullptr);
    CHECK(records[1].metric("predicted_bandwidth")->value == Approx(base / 4));
    CHECK(records[1].metric("share_of_prediction")->value == Approx(0.8));
    CHECK(records[3].metric("predicted_bandwidth")->value == Approx(10 * base / 4));
    CHECK(records[4].metric("predicted_bandwidth")->value == Approx(10 * base * 4 / 5));
    CHECK(records[4].metric("predicted_sectors_per_request")->value == 5);
    const auto lines = ba::key_figures(records);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == (base == 20e9 ? "access cpu, 4-byte loads by stride: 1 20 GB/s, 4 20.0 %"
                                    : "access cpu, 4-byte loads by stride: 1 50 GB/s, 4 20.0 %"));
  }
}

TEST_CASE("nothing is predicted from another device, size or a record without a number") {
  std::vector<record::Record> records{measured("cuda:0", 1, "0", 1e9), measured("cpu", 4, "0", 1e9)};
  records.push_back(measured("cpu", 1, "0", 1e9));
  records.back().point.set("size", std::int64_t{4096});
  records.push_back(measured("cpu", 1, "0", 1e9));
  records.back().status = record::Status::suspect;
  ba::conclude(records);
  CHECK(records[1].metric("predicted_bandwidth") == nullptr);
}

TEST_CASE("every pattern is verified on the CPU, for one thread and several") {
  const auto device = device::cpu::make_device();
  for (const std::string op : {"load", "store"})
    for (const std::int64_t stride : {1, 3, 64})
      for (const std::string offset : {"0", "1", "31"})
        for (const std::string width : {"1", "2", "4", "8", "16"})
          for (const std::int64_t threads : {1, 3}) {
            const auto point = point_of(op, stride, offset, width, 8000, threads);
            CAPTURE(point.to_text());
            const auto arena = device->make_arena(device::borrow_cost(ba::buffers(point).front()));
            CpuContext context{*device, *arena, 1, Fill::random};
            const auto prepared = ba::prepare_cpu(context, point);
            const auto verified = prepared->verify();
            CHECK(verified.reason.empty());
            CHECK(verified.status == record::Check::passed);
            prepared->stream().time([&] { prepared->run(2); });
            CHECK(prepared->verify().status == record::Check::passed);
          }
}

TEST_CASE("transposes are verified on the CPU, and what has no meaning there is skipped with the reason") {
  const auto device = device::cpu::make_device();
  for (const std::int64_t n : {1, 33, 100})
    for (const std::int64_t threads : {1, 3})
      for (const std::string variant : {"naive", "tiled"}) {
        record::Point point;
        point.set("variant", variant);
        point.set("size", n * n * 4);
        point.set("threads", threads);
        CHECK(ba::side_of(point) == n);
        CHECK(ba::transpose_work(point).bytes_written == n * n * 4);
        const auto arena = device->make_arena(2 * device::borrow_cost(n * n * 4 + 64));
        CpuContext context{*device, *arena, 1, Fill::random};
        CHECK(ba::prepare_transpose_cpu(context, point)->verify().status == record::Check::passed);
        CpuContext zeroes{*device, *arena, 1, Fill::zero};
        arena->reset();
        CHECK(ba::prepare_transpose_cpu(zeroes, point)->verify().status == record::Check::passed);
        point.set("variant", std::string("padded"));
        CHECK_THROWS_AS(ba::prepare_transpose_cpu(context, point), device::Absent);
      }
}
