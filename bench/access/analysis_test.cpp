// Predictions that follow their constants: change what was measured of the unbroken pattern, and they move.
#include "bench/access/analysis.hpp"

#include <catch2/catch.hpp>

#include "bench/access/made_points.hpp"

using namespace ridge;
using namespace ridge::bench;
using namespace ridge::bench::access::testing;
namespace ba = ridge::bench::access;

namespace {

record::Record measured(const std::string& device, std::int64_t stride, const std::string& offset, double bandwidth) {
  record::Record r;
  r.benchmark = "access.stride";
  r.device = device;
  r.point = point_of("load", stride, offset, "4", 1 << 20);
  r.status = record::Status::ok;
  r.metrics.push_back({"bandwidth", bandwidth, record::Unit::bytes_per_second, record::Better::higher, {}, {}});
  return r;
}

record::Record of(const char* benchmark, const std::string& device, record::Point point, double bandwidth) {
  record::Record r = measured(device, 1, "0", bandwidth);
  r.benchmark = benchmark;
  r.point = std::move(point);
  return r;
}

}  // namespace

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
    CHECK(lines[0] == (base == 20e9 ? "access cpu load 4 B: 20 GB/s; stride 4 20 % (25)"
                                    : "access cpu load 4 B: 50 GB/s; stride 4 20 % (25)"));
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

TEST_CASE("strides over the same lines are predicted from the lines in order on huge pages, and hold pages apart") {
  const auto of_pages = [](std::int64_t stride, const std::string& pages, double bandwidth) {
    return of("access.pages", "cpu", phased_point("load", stride, pages, 1 << 20), bandwidth);
  };
  for (const double base : {1e9, 3e9}) {
    std::vector<record::Record> records{of_pages(1, "huge", base), of_pages(64, "huge", base / 2),
                                        of_pages(64, "small", base / 8), of_pages(16, "small", base),
                                        measured("cpu", 1, "0", 16 * base)};
    ba::conclude(records);
    CHECK(records[0].metric("predicted_bandwidth") == nullptr);
    CHECK(records[1].metric("predicted_bandwidth")->value == Approx(base));
    CHECK(records[1].metric("share_of_prediction")->value == Approx(0.5));
    CHECK(records[2].metric("predicted_bandwidth")->value == Approx(base));
    CHECK(records[2].metric("against_huge_pages")->value == Approx(4));
    CHECK(records[1].metric("against_huge_pages") == nullptr);
    CHECK(records[3].metric("against_huge_pages") == nullptr);  // no huge ones at that stride
    CHECK(records[4].metric("predicted_bandwidth") == nullptr);
  }
}

TEST_CASE("a transpose is predicted from the loads and the stores that it is made of, and follows each") {
  const auto predicted = [](const std::string& device, const std::string& variant, double loads, double stores) {
    std::vector<record::Record> records{measured(device, 1, "0", loads), measured(device, 1, "0", stores)};
    records[1].point.set("op", std::string("store"));
    records.push_back(of("access.transpose", device, transpose_point(variant, 1 << 20), 1e9));
    ba::conclude(records);
    const auto* const metric = records[2].metric("predicted_bandwidth");
    REQUIRE(metric != nullptr);
    CHECK(records[2].metric("share_of_prediction")->value == Approx(1e9 / *metric->value));
    return *metric->value;
  };
  CHECK(predicted("cpu", "naive", 20e9, 10e9) == Approx(2 / (1 / 20e9 + 1 / 10e9)));
  CHECK(predicted("cpu", "tiled", 40e9, 10e9) == Approx(16e9));
  CHECK(predicted("cpu", "tiled", 40e9, 40e9) == Approx(40e9));
  CHECK(predicted("cuda:0", "padded", 3e12, 3e12) == Approx(3e12));
  CHECK(predicted("cuda:0", "naive", 3e12, 3e12) == Approx(3e12 * 2 / 9));  // 4 sectors of a load, 32 of a store
  CHECK(predicted("cuda:0", "naive", 3e12, 6e12) == Approx(2 / (1 / 3e12 + 8 / 6e12)));
  // Without the stores nothing is predicted.
  std::vector<record::Record> records{measured("cpu", 1, "0", 1e9),
                                      of("access.transpose", "cpu", transpose_point("tiled", 1 << 20), 1e9)};
  ba::conclude(records);
  CHECK(records[1].metric("predicted_bandwidth") == nullptr);
}

TEST_CASE("on a GPU random access and layouts follow the unbroken pattern of the run") {
  for (const double base : {1e12, 3e12}) {
    const std::int64_t size = std::int64_t{1} << 30;
    std::vector<record::Record> records{
        measured("cuda:0", 1, "0", base), of("access.random", "cuda:0", random_point("load", "4", size), base / 9),
        of("access.layout", "cuda:0", layout_point("load", "aos", "8", "one", size), base / 16),
        of("access.layout", "cuda:0", layout_point("load", "aos", "8", "all", size), base)};
    records[0].point.set("size", size);
    ba::conclude(records);
    CHECK(records[1].metric("predicted_bandwidth")->value == Approx(base * 8 / 36).epsilon(1e-5));
    CHECK(records[1].metric("predicted_sectors_per_request")->value == Approx(18).epsilon(1e-5));
    CHECK(records[2].metric("predicted_bandwidth")->value == Approx(base / 8));
    CHECK(records[2].metric("share_of_prediction")->value == Approx(0.5));
    CHECK(records[3].metric("predicted_bandwidth")->value == Approx(base));
    CHECK(records[3].metric("predicted_sectors_per_request")->value == 32);
  }
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
