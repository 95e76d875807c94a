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
  CHECK(ba::strided_facts.work(point_of("load", 3, "1", "4", 400)).bytes_read == 33 * 4);
  CHECK(ba::strided_facts.work(point_of("store", 3, "1", "4", 400)).bytes_written == 33 * 4);
  CHECK(ba::strided_facts.work(point_of("store", 3, "1", "4", 400)).bytes_read == 0);
  CHECK_FALSE(ba::strided_facts.unsupported(point_of("load", 64, "0", "4", 260)));
  CHECK(ba::strided_facts.unsupported(point_of("load", 64, "0", "4", 256)).value() ==
        "a stride of 64 elements is beyond the array of 64");
  CHECK(ba::strided_facts.unsupported(point_of("load", 1, "9", "4", 36)).value() ==
        "an offset of 9 elements is beyond the array of 9");
  CHECK(ba::strided_facts.unsupported(point_of("load", 1, "0", "16", 15)).value() ==
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
    CHECK(lines[0] == (base == 20e9 ? "access cpu load 4 B: 20 GB/s; stride 4 20 %"
                                    : "access cpu load 4 B: 50 GB/s; stride 4 20 %"));
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
            const auto arena = device->make_arena(device::borrow_cost(ba::strided_facts.buffers(point).front()));
            CpuContext context{*device, *arena, 1, Fill::random};
            const auto prepared = ba::prepare_strided_cpu(context, point);
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

namespace {

record::Point random_point(const std::string& op, const std::string& width, std::int64_t size,
                           std::int64_t threads = 1) {
  record::Point point;
  point.set("op", op);
  point.set("width", width);
  point.set("size", size);
  point.set("threads", threads);
  return point;
}

record::Point layout_point(const std::string& op, const std::string& layout, const std::string& fields,
                           const std::string& used, std::int64_t size, std::int64_t threads = 1) {
  record::Point point;
  point.set("op", op);
  point.set("layout", layout);
  point.set("fields", fields);
  point.set("used", used);
  point.set("size", size);
  point.set("threads", threads);
  return point;
}

record::Record of(const char* benchmark, const std::string& device, record::Point point, double bandwidth) {
  record::Record r = measured(device, 1, "0", bandwidth);
  r.benchmark = benchmark;
  r.point = std::move(point);
  return r;
}

// Verifies, runs, verifies again.
void check_on_cpu(const ba::Facts& facts, std::unique_ptr<Case> (*prepare)(CpuContext&, const record::Point&),
                  const record::Point& point) {
  CAPTURE(point.to_text());
  REQUIRE_FALSE(facts.unsupported(point));
  const auto device = device::cpu::make_device();
  std::int64_t needed = 0;
  for (const std::int64_t bytes : facts.buffers(point)) needed += device::borrow_cost(bytes);
  const auto arena = device->make_arena(needed);
  for (const Fill fill : {Fill::random, Fill::zero}) {
    arena->reset();
    CpuContext context{*device, *arena, 1, fill};
    const auto prepared = prepare(context, point);
    const auto verified = prepared->verify();
    CHECK(verified.reason.empty());
    CHECK(verified.status == record::Check::passed);
    CHECK(verified.checked > 0);
    prepared->stream().time([&] { prepared->run(2); });
    CHECK(prepared->verify().status == record::Check::passed);
  }
}

}  // namespace

TEST_CASE("random elements touch as many sectors as drawing without return says") {
  CHECK(ba::random_sectors_per_request(std::int64_t{1} << 28, 4) == Approx(32).epsilon(1e-5));
  CHECK(ba::random_sectors_per_request(32, 4) == Approx(4));  // all of them, which lie in four sectors
  // Eight sectors of eight elements: one is missed by 32 of 64 with the probability C(56, 32) / C(64, 32).
  CHECK(ba::random_sectors_per_request(64, 4) == Approx(8 * (1 - 0.0023765)).epsilon(1e-5));
  CHECK(ba::random_sectors_per_request(1, 16) == Approx(1));
  CHECK(ba::random_line_excess(4) == Approx(68.0 / 8));
  CHECK(ba::random_sector_excess(std::int64_t{1} << 28, 4) == Approx(36.0 / 8).epsilon(1e-5));
}

TEST_CASE("gathers and scatters are verified on the CPU, and indices count") {
  for (const std::string op : {"load", "store"})
    for (const std::string width : {"4", "8", "16"})
      for (const auto& [size, threads] : {std::pair{16, 1}, std::pair{8000, 3}, std::pair{70000, 1}})
        check_on_cpu(ba::indexed_facts, ba::prepare_indexed_cpu, random_point(op, width, size, threads));
  const auto gather = ba::indexed_facts.work(random_point("load", "8", 8000));
  CHECK(gather.bytes_read == 1000 * 12);
  CHECK(gather.bytes_written == 0);
  const auto scatter = ba::indexed_facts.work(random_point("store", "8", 8000));
  CHECK(scatter.bytes_read == 1000 * 4);
  CHECK(scatter.bytes_written == 1000 * 8);
  CHECK(ba::indexed_facts.unsupported(random_point("load", "4", (std::int64_t{1} << 34) + 4)).value() ==
        "4294967297 elements are more than 32-bit indices reach");
  CHECK(ba::indexed_facts.unsupported(random_point("load", "8", 7)).value() ==
        "a size of 7 bytes is below one element of 8 bytes");
}

TEST_CASE("structures are verified on the CPU in both layouts, and only what is used counts") {
  for (const std::string op : {"load", "store"})
    for (const std::string layout : {"aos", "soa"})
      for (const std::string fields : {"2", "4", "8", "16", "32"})
        for (const std::string used : {"one", "all"})
          for (const auto& [size, threads] : {std::pair{128, 1}, std::pair{4 * 32 * 33 + 8, 3}})
            check_on_cpu(ba::structured_facts, ba::prepare_structured_cpu,
                         layout_point(op, layout, fields, used, size, threads));
  CHECK(ba::structured_facts.work(layout_point("load", "aos", "8", "one", 3210)).bytes_read == 100 * 4);
  CHECK(ba::structured_facts.work(layout_point("store", "soa", "8", "all", 3210)).bytes_written == 100 * 32);
  CHECK(ba::structured_facts.unsupported(layout_point("load", "aos", "8", "one", 31)).value() ==
        "a size of 31 bytes is below one structure of 32 bytes");
}

TEST_CASE("random access, layouts and banks are predicted from the unbroken pattern of the run") {
  for (const double base : {20e9, 50e9}) {
    const std::int64_t size = 1 << 20;
    record::Point banks_1;
    banks_1.set("stride", std::int64_t{1});
    record::Point banks_6;
    banks_6.set("stride", std::int64_t{6});
    std::vector<record::Record> records{
        measured("cpu", 1, "0", base),
        of("access.random", "cpu", random_point("load", "4", size), base / 17),
        of("access.layout", "cpu", layout_point("load", "aos", "8", "one", size), base / 16),
        of("access.layout", "cpu", layout_point("load", "soa", "8", "one", size), base),
        of("access.layout", "cpu", layout_point("load", "aos", "8", "all", size), base),
        of("access.banks", "cuda:0", banks_1, 10 * base),
        of("access.banks", "cuda:0", banks_6, 5 * base)};
    records[6].work.bytes_read = 128 * 100;
    // The table and the array share what an array alone takes.
    records[1].point.set("size", size / 2);
    records[0].method.level = records[1].method.level = "memory";
    ba::conclude(records);
    CHECK(records[1].metric("predicted_bandwidth")->value == Approx(base * 8 / 68));
    CHECK(records[1].metric("share_of_prediction")->value == Approx(0.5));
    CHECK(records[2].metric("predicted_bandwidth")->value == Approx(base / 8));
    CHECK(records[3].metric("predicted_bandwidth")->value == Approx(base));
    CHECK(records[4].metric("predicted_bandwidth")->value == Approx(base));
    CHECK(records[6].metric("predicted_bandwidth")->value == Approx(5 * base));
    CHECK(records[6].metric("predicted_wavefronts_per_request")->value == 2);
    CHECK(records[6].metric("predicted_bank_conflicts")->value == 100);
  }
}
