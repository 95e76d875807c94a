// What lanes, threads and launches cost, from the command line: counted on the reference machine, refused where asked
// for what cannot be.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tests/cli/ridge.hpp"

using namespace ridge::test;
using Catch::Contains;
using nlohmann::json;

namespace {

// By the name of the axis: the value of a metric of each record; records without it are left out.
std::map<std::string, double> values(const json& report, const char* axis, const char* metric) {
  std::map<std::string, double> found;
  for (const json& record : report["records"])
    for (const json& each : record["metrics"])
      if (each["name"] == metric && !each["value"].is_null()) {
        const json& value = record["point"][axis];
        found[value.is_string() ? value.get<std::string>() : value.dump()] = each["value"];
      }
  return found;
}

json on_ptx(std::vector<std::string> arguments) {
  for (const char* more : {"--device", "ptx", "--quiet", "--json", "-"}) arguments.emplace_back(more);
  const Outcome outcome = invoke(arguments);
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  const json report = json::parse(outcome.out);
  for (const json& record : report["records"]) {
    CHECK(record["status"] == "ok");
    CHECK(record["verification"]["status"] == "passed");
  }
  return report;
}

}  // namespace

TEST_CASE("divergence on the reference machine counts the predicted share of lanes, and proves its work") {
  const json report = on_ptx({"divergence", "branch", "--paths", "1,3,32", "--by", "lane"});
  const auto counted = values(report, "paths", "floating_warp_efficiency");
  const auto predicted = values(report, "paths", "predicted_floating_warp_efficiency");
  REQUIRE(counted.size() == 3);
  for (const auto& [paths, value] : counted) CHECK(value == Approx(predicted.at(paths)).epsilon(1e-14));
  CHECK(counted.at("32") == 1.0 / 32);
  for (const auto& [paths, proven] : values(report, "paths", "work_proven")) CHECK(proven == 1);
}

TEST_CASE("divergence does not exist for a CPU: skipped with the reason, 5") {
  const Outcome outcome = invoke({"divergence", "--device", "cpu"});
  CHECK(outcome.status == 5);
  CHECK_THAT(outcome.out + outcome.err, Contains("divergence.branch does not exist for cpu"));
}

TEST_CASE("paths that no warp has, and ways to deal them out that there are none of, are refused: 2") {
  for (const auto& [axis, value, said] : {std::tuple{"--paths", "33", "32"},
                                          {"--paths", "0", "0"},
                                          {"--paths", "two", "two"},
                                          {"--by", "block", "lane, warp"}}) {
    const Outcome outcome = invoke({"divergence", "--device", "ptx", axis, value});
    CAPTURE(axis, value, outcome.err);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains(axis) && Contains(said));
  }
}

TEST_CASE("atomics on the reference machine count the predicted turns, on device and on shared memory") {
  const json report = on_ptx({"atomics"});
  for (const json& record : report["records"]) {
    INFO(record["benchmark"] << " " << record["point"].dump());
    const std::string counters = record["point"]["counters"];
    double counted = 0;
    double predicted = 0;
    for (const json& each : record["metrics"]) {
      if (each["name"] == "turns_per_atomic") counted = each["value"];
      if (each["name"] == "predicted_turns_per_atomic") predicted = each["value"];
      if (each["name"] == "work_proven") CHECK(each["value"] == 1);
    }
    CHECK(counted == predicted);
    CHECK(counted == (counters == "one" || counters == "warp" ? 32 : 1));
  }
  CHECK(report["records"].size() == 7);
}

TEST_CASE("atomics on a CPU are counted exactly, with warps skipped for the reason") {
  const Outcome outcome = invoke({"atomics", "add", "--device", "cpu", "--threads", "1", "--rounds", "2", "--min-time",
                                  "1ms", "--quiet", "--json", "-"});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  const json report = json::parse(outcome.out);
  for (const json& record : report["records"]) {
    if (record["point"]["counters"] == "warp") {
      CHECK(record["status"] == "skipped");
      CHECK_THAT(record["reason"].get<std::string>(), Contains("a CPU has no warps"));
    } else {
      CHECK(record["verification"]["status"] == "passed");
      CHECK(record["metrics"][0]["name"] == "ops");
      CHECK(record["metrics"][0]["unit"] == "OP/s");
      CHECK(record["metrics"][0]["value"] > 0);
    }
  }
  CHECK(invoke({"atomics", "add", "--counters", "two"}).status == 2);
  CHECK(invoke({"atomics", "cas", "--counters", "warp"}).status == 2);
}

TEST_CASE("launches on the reference machine are as many as stated, whatever the way and the arguments") {
  const json report = on_ptx({"launch", "--arguments", "1,512"});
  const json& records = report["records"];
  const auto of = [&](const char* name) {
    return std::count_if(records.begin(), records.end(),
                         [&](const json& record) { return record["benchmark"] == name; });
  };
  CHECK(of("launch.empty") == 8);
  CHECK(of("launch.steps") == 9);
  CHECK(records.size() == 17);
  // Of launch.empty a graph holds 64; launch.steps has one for each step, but for the kernel that stays.
  const auto launches_of = [](const json& record) {
    const json &point = record["point"], &way = point["way"];
    if (record["benchmark"] == "launch.empty") return way == "graph" ? 64 : 1;
    return way == "persistent" ? 1 : point["steps"].get<int>();
  };
  for (const json& record : records)
    for (const json& each : record["metrics"]) {
      if (each["name"] == "launches") CHECK(each["value"] == launches_of(record));
      if (each["name"] == "work_proven") CHECK(each["value"] == 1);
      if (each["name"] == "latency") CHECK(each["value"].is_null());
    }
  const Outcome refused = invoke({"launch", "--device", "ptx", "--arguments", "3"});
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("--arguments: '3' is not one of 1, 16, 64, 512"));
}

TEST_CASE("fork and join on a CPU is a latency, with the handovers that predict it where there are two cores") {
  const Outcome outcome =
      invoke({"launch", "--device", "cpu", "--rounds", "2", "--min-time", "1ms", "--quiet", "--json", "-"});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  const json report = json::parse(outcome.out);
  for (const json& record : report["records"]) {
    CHECK(record["benchmark"] != "launch.empty");
    if (record["status"] == "skipped") continue;
    CHECK(record["metrics"][0]["name"] == "latency");
    CHECK(record["metrics"][0]["value"] > 0);
  }
}
