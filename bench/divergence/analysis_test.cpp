// Predictions follow the constants that were measured, and nothing is predicted from other runs' or devices' figures.
#include "bench/divergence/analysis.hpp"

#include <catch2/catch.hpp>

#include "bench/divergence/definition.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bd = ridge::bench::divergence;

namespace {

record::Record measured(const std::string& kernel, const std::string& device, std::int64_t paths, const std::string& by,
                        std::optional<double> flops) {
  record::Record r;
  r.benchmark = "divergence." + kernel;
  r.device = device;
  r.point.set("paths", paths);
  r.point.set("by", by);
  r.status = record::Status::ok;
  r.metrics.push_back({"flops", flops, record::Unit::flop_per_second, record::Better::higher, {}, {}});
  return r;
}

}  // namespace

TEST_CASE("the predicted rate is that of one path in the same run times the efficiency on paper") {
  for (const double base : {1e12, 3e12}) {
    std::vector<record::Record> records{
        measured("branch", "cuda:0", 1, "lane", base),     measured("branch", "cuda:0", 4, "lane", base / 5),
        measured("branch", "cuda:0", 1, "warp", 2 * base), measured("branch", "cuda:0", 4, "warp", 2 * base),
        measured("loop", "cuda:0", 1, "lane", base),       measured("loop", "cuda:0", 32, "lane", base / 2)};
    CHECK(bd::conclude(records).empty());
    CHECK(records[0].metric("predicted_flops") == nullptr);
    CHECK(records[1].metric("predicted_floating_warp_efficiency")->value == 0.25);
    CHECK(records[1].metric("predicted_flops")->value == Approx(base / 4));
    CHECK(records[1].metric("share_of_prediction")->value == Approx(0.8));
    CHECK(records[3].metric("predicted_flops")->value == Approx(2 * base));
    CHECK(records[5].metric("predicted_floating_warp_efficiency")->value == Approx(33.0 / 64));
    CHECK(records[5].metric("predicted_flops")->value == Approx(base * 33 / 64));
    for (const record::Record& record : records)
      for (const record::Metric& metric : record.metrics)
        if (metric.name != "flops") CHECK(metric.better == record::Better::neither);
    const auto lines = bd::key_figures(records);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == (base == 1e12 ? "divergence.branch cuda:0: 1 path 1 TFLOP/s; 4 20 %"
                                    : "divergence.branch cuda:0: 1 path 3 TFLOP/s; 4 20 %"));
  }
}

TEST_CASE("without a time nothing but the share of lanes is predicted, and the counted one is shown") {
  std::vector<record::Record> records{measured("branch", "ptx:0", 1, "lane", {}),
                                      measured("branch", "ptx:0", 8, "lane", {}),
                                      measured("branch", "cuda:0", 8, "lane", 1e12)};
  const auto counted = [](record::Record& record, double value) {
    record.metrics.push_back({"floating_warp_efficiency", value, record::Unit::ratio, record::Better::neither, {}, {}});
  };
  counted(records[0], 1);
  counted(records[1], 0.125);
  bd::conclude(records);
  CHECK(records[1].metric("predicted_floating_warp_efficiency")->value == 0.125);
  CHECK(records[1].metric("predicted_flops") == nullptr);
  CHECK(records[2].metric("predicted_flops") == nullptr);  // the one path was another device's
  const auto lines = bd::key_figures(records);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "divergence.branch ptx:0, counted warp efficiency by paths: 1 100 %, 8 12.5 %");
}

TEST_CASE("facts: every definition states work for each point, of one block before a GPU is known") {
  for (const Definition& d : bd::definitions()) {
    record::Point point;
    point.set("paths", std::int64_t{2});
    point.set("by", std::string("lane"));
    const record::Work work = d.work(point);
    CHECK(work.bytes_read == 1024);
    CHECK(work.bytes_written == 1024);
    CHECK(work.operations == (d.name == "divergence.branch" ? 2 * 256 * 1024 : 2 * 256 * 768));
    CHECK_FALSE(d.prepare_cpu);
  }
}
