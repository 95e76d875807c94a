// Every point of the family prepared and verified, predictions beside what was computed, and records in words.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <map>

#include "bench/harness/lookup.hpp"
#include "bench/harness/told.hpp"
#include "bench/precision/analysis.hpp"
#include "bench/precision/definition.hpp"
#include "bench/precision/prediction.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bp = ridge::bench::precision;

namespace {

const Definition& named(const std::vector<Definition>& all, const std::string& name) {
  for (const Definition& d : all)
    if (d.name == name) return d;
  throw std::logic_error("no " + name);
}

record::Point point(std::initializer_list<std::pair<const char*, record::Value>> values) {
  record::Point p;
  for (const auto& [name, value] : values) p.set(name, value);
  return p;
}

record::Point product_point(const std::string& dtype, const std::string& accumulate, std::int64_t k,
                            const std::string& data = "normal") {
  return point({{"dtype", dtype}, {"accumulate", accumulate}, {"k", k}, {"data", data}});
}

// As the engine makes it of a case.
record::Record measured(const std::string& name, const record::Point& at, Fill fill = Fill::random) {
  const auto all = bp::definitions();
  const Definition& d = named(all, name);
  const auto device = device::cpu::make_device();
  const auto arena = device->make_arena(1 << 12);
  CpuContext context{*device, *arena, 1, fill};
  const auto prepared = d.prepare_cpu(context, at);
  record::Record r;
  r.benchmark = name;
  r.device = "cpu";
  r.point = at;
  r.verification = prepared->verify();
  r.status = r.verification.status == record::Check::passed ? record::Status::ok : record::Status::failed;
  r.reason = r.verification.reason;
  CHECK_FALSE(prepared->stream().has_clock());
  const auto figures = dynamic_cast<TellsFigures&>(*prepared).figures();
  for (const MetricRule& rule : d.metrics) {
    record::Metric metric{rule.name, std::nullopt, rule.unit, rule.better, std::nullopt, std::nullopt};
    for (const Figure& figure : figures)
      if (figure.name == rule.name && std::isfinite(figure.value)) metric.value = figure.value;
    r.metrics.push_back(metric);
  }
  return r;
}

}  // namespace

TEST_CASE("errors of products are near what rounding theory predicts, for each type and length") {
  for (const std::string dtype : {"f32", "tf32", "f16", "bf16", "e5m2"})
    for (const std::string accumulate : {"f32", "same"})
      for (const std::int64_t k : {16, 256, 2048}) {
        if (dtype == "f32" && accumulate == "same") continue;
        const auto r = measured("precision.product", product_point(dtype, accumulate, k));
        INFO(record::identity(r) << " " << r.reason);
        CHECK(r.status == record::Status::ok);
        const auto predicted = value_of(r, "predicted_error");
        if (!predicted) continue;
        CHECK(*value_of(r, "error") > 0.6 * *predicted);
        CHECK(*value_of(r, "error") < 1.6 * *predicted);
      }
  CHECK_FALSE(bp::predicted_error(bp::question_of(product_point("bf16", "same", 1 << 20), 1)));
  CHECK_FALSE(bp::predicted_error(bp::question_of(product_point("e4m3", "f32", 64), 1)));
  CHECK_FALSE(bp::predicted_error(bp::question_of(product_point("f16", "f32", 64, "wide"), 1)));
}

TEST_CASE("every benchmark of the family proves itself, and refuses zeroes as data") {
  CHECK(measured("precision.ones", point({{"dtype", std::string("f16")}})).status == record::Status::ok);
  for (const std::string dtype : {"f16", "bf16"}) {
    for (const std::string scale : {"2^0", "2^15", "2^24"})
      CHECK(measured("precision.loss_scaling", point({{"dtype", dtype}, {"scale", scale}})).reason == "");
    for (const std::string master : {"none", "f32"})
      CHECK(measured("precision.master_weights", point({{"dtype", dtype}, {"master", master}})).reason == "");
  }
  for (const std::string data : {"positive", "wide"})
    for (const std::string dtype : {"f16", "e4m3", "e2m1"})
      CHECK(measured("precision.product", product_point(dtype, "same", 512, data)).reason == "");
  CHECK_THROWS_AS(measured("precision.ones", point({{"dtype", std::string("f16")}}), Fill::zero), device::Absent);
}

TEST_CASE("the family in a few lines, and overflow as a finding") {
  std::vector<record::Record> records{measured("precision.product", product_point("f16", "f32", 64)),
                                      measured("precision.product", product_point("f16", "same", 64)),
                                      measured("precision.product", product_point("f16", "same", 64, "wide")),
                                      measured("precision.ones", point({{"dtype", std::string("f16")}}))};
  const auto lines = bp::key_figures(records);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].find("k = 64") != std::string::npos);
  CHECK(lines[0].find(fmt::format("f16 {:.1e} (", *value_of(records[0], "error"))) != std::string::npos);
  CHECK(lines[1] == "precision, a sum of ones stops at: f16 2048");
  const auto findings = bp::conclude(records);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].records.size() == 1);
  CHECK(bp::conclude({records.data(), 2}).empty());
  CHECK(bp::key_figures({}).empty());
}
