// Machines that give less than they seem to: quotas, memory limits, a wall clock that is set during a run.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tests/cli/ridge.hpp"
#include "tests/support/cgroup.hpp"
#include "tests/support/skip.hpp"

using Catch::Contains;
using nlohmann::json;
using ridge::test::Cgroup;
using ridge::test::invoke;
using ridge::test::Start;

namespace {

// What the binary writes to stdout when it runs in the group, after its exit status.
std::string run_in(const Cgroup& group, const std::vector<std::string>& arguments) {
  const auto text = group.run([&] {
    const auto outcome = invoke(arguments);
    return std::to_string(outcome.status) + " " + outcome.out;
  });
  REQUIRE(text.has_value());
  return *text;
}

}  // namespace

TEST_CASE("half a core by quota: one thread is used, and the quota stands in the report") {
  const Cgroup group("cpu", ridge::test::half_a_core());
  if (group.reason()) return ridge::test::skip(*group.reason());
  const std::string text = run_in(group, ridge::test::quick({"--json", "-"}));
  REQUIRE(text.substr(0, 2) == "0 ");
  const json report = json::parse(text.substr(2));
  CHECK(report["machine"]["incidental"]["cpu_quota"] == 0.5);
  CHECK(report["machine"]["identity"]["cores_used"] == 1);
  CHECK(report["records"][0]["point"]["threads"] == 1);
  const bool throttled = report["records"][0]["conditions"]["cgroup_throttled"] == true;
  CHECK((!throttled || report["records"][0]["status"] == "suspect"));
}

TEST_CASE("half a GiB by limit: what does not fit fails with both byte counts, what fits is measured") {
  if (!std::string_view(RIDGE_SANITIZE).empty()) return ridge::test::skip("a sanitizer's own memory exceeds the limit");
  const Cgroup group("memory", ridge::test::half_a_gib());
  if (group.reason()) return ridge::test::skip(*group.reason());
  const std::string large = run_in(group, {"bandwidth", "triad", "--device", "cpu", "--size", "512Mi", "--json", "-"});
  CHECK(large.substr(0, 2) == "4 ");
  const json report = json::parse(large.substr(2));
  CHECK(report["machine"]["incidental"]["memory_limit"] == 536870912);
  CHECK(report["records"][0]["status"] == "failed");
  CHECK_THAT(report["records"][0]["reason"].get<std::string>(), Contains("needs 1610") && Contains("bytes available"));
  const std::string small = run_in(group, ridge::test::quick({"--json", "-"}));
  CHECK(small.substr(0, 2) == "0 ");
}

TEST_CASE("a wall clock that is set during a run changes no sample and no duration") {
  if (!std::string_view(RIDGE_SANITIZE).empty()) return ridge::test::skip("a sanitizer wants to be preloaded first");
  Start start;
  start.environment = {{"LD_PRELOAD", STEPPING_CLOCK}};
  const auto outcome = invoke(ridge::test::quick({"--json", "-"}), start);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const json report = json::parse(outcome.out);
  CHECK(report["duration"] >= 0.0);
  CHECK(report["duration"] < 1800.0);
  for (const double seconds : report["records"][0]["samples"]) {
    CHECK(seconds > 0);
    CHECK(seconds < 1.0);
  }
}
