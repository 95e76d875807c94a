// Fusion as a user runs it: every pair and side with warm caches and with cold ones.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/ridge.hpp"

using Catch::Contains;
using nlohmann::json;
using ridge::test::invoke;

namespace {

const json* metric(const json& record, const std::string& name) {
  const json& metrics = record["metrics"];
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const json& m) { return m["name"] == name; });
  return found == metrics.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("every pair and side is measured with warm and with cold caches, its work and check in each record") {
  for (const std::string cache : {"warm", "cold"}) {
    const auto outcome = invoke({"fusion",
                                 "--device",
                                 "cpu",
                                 "--size",
                                 "64Ki",
                                 "--ops",
                                 "1,4",
                                 "--sequence",
                                 "100",
                                 "--m",
                                 "64",
                                 "--n",
                                 "64",
                                 "--k",
                                 "16",
                                 "--heads",
                                 "1",
                                 "--rounds",
                                 "1",
                                 "--min-time",
                                 "1ms",
                                 "--epilogue",
                                 "bias_gelu,bias_residual",
                                 "--cache",
                                 cache,
                                 "--quiet",
                                 "--json",
                                 "-"});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    const json report = json::parse(outcome.out);
    std::map<std::string, std::set<std::string>> sides;
    for (const json& record : report["records"]) {
      INFO(record["reproduce"]);
      if (record["status"] == "skipped") {  // no such library on this machine
        CHECK_THAT(record["reason"].get<std::string>(), Contains("libdnnl"));
        continue;
      }
      sides[record["benchmark"]].insert(record["point"]["side"]);
      CHECK(record["method"]["cache"] == cache);
      CHECK(record["verification"]["status"] == "passed");
      CHECK(record["work"]["bytes_read"] > 0);
      CHECK(record["work"]["operations"] > 0);
      CHECK((metric(record, "warm_time") != nullptr) == (cache == "cold"));
    }
    CHECK(sides.size() >= 7);
    for (const auto& [benchmark, found] : sides) {
      INFO(benchmark);
      if (benchmark == "fusion.epilogue") continue;
      CHECK(found.contains("fused"));
      CHECK(found.contains("unfused"));
    }
  }
}
