// What cannot be measured of memory, caches and cores, and what a machine does not give: said in a clear line, with the
// documented status, and never turned into a number.
#include <sys/prctl.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/cli/ridge.hpp"

using namespace ridge::test;
using Catch::Contains;
using nlohmann::json;

namespace {

// On the CPU, as shortly as may be.
std::vector<std::string> shortly(std::vector<std::string> arguments) {
  for (const char* more : {"--device", "cpu", "--rounds", "2", "--min-time", "1ms", "--quiet", "--json", "-"})
    arguments.emplace_back(more);
  return arguments;
}

bool found(const json& report, const std::string& code) {
  return std::any_of(report["findings"].begin(), report["findings"].end(),
                     [&](const json& finding) { return finding["code"] == code; });
}

}  // namespace

TEST_CASE("a stride beyond the array is skipped with both numbers: 5") {
  for (const auto& [kernel, said] : {std::pair{"stride", "a stride of 1024 elements is beyond the array of 256"},
                                     {"pages", "a stride of 1024 lines is beyond the array of 16"}}) {
    const Outcome outcome = invoke({"access", kernel, "--device", "cpu", "--size", "1Ki", "--stride", "1024"});
    CHECK(outcome.status == 5);
    CHECK_THAT(outcome.out + outcome.err, Contains(said));
  }
  const Outcome offset =
      invoke({"access", "offset", "--device", "cpu", "--size", "32", "--offset", "31", "--format", "csv"});
  CHECK(offset.status == 5);
  CHECK_THAT(offset.out + offset.err, Contains("an offset of 31 elements is beyond the array of 8"));
}

TEST_CASE("strides, widths and sizes that are none are refused: 2") {
  for (const auto& [axis, value] : {std::pair{"--stride", "0"},
                                    {"--stride", "-1"},
                                    {"--stride", "2097152"},
                                    {"--width", "3"},
                                    {"--offset", "32"},
                                    {"--size", "-4"},
                                    {"--pages", "large"}}) {
    const Outcome outcome = invoke({"access", "--device", "cpu", axis, value});
    CAPTURE(axis, value, outcome.err);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains(axis));
  }
}

TEST_CASE("a working set that does not fit fails with needed and available bytes: 4") {
  for (const std::vector<std::string>& asked : std::vector<std::vector<std::string>>{
           {"hierarchy", "latency"}, {"hierarchy", "bandwidth"}, {"roofline", "stencil"}, {"access", "stride"}}) {
    auto arguments = asked;
    for (const char* more : {"--device", "cpu", "--size", "64Ti"}) arguments.emplace_back(more);
    const Outcome outcome = invoke(arguments);
    CAPTURE(asked.front());
    CHECK(outcome.status == 4);
    CHECK_THAT(outcome.out + outcome.err, Contains("needs ") && Contains(" available"));
  }
}

TEST_CASE("fewer lines than chains, and a cube without an inside, are skipped with the reason: 5") {
  const Outcome chains = invoke({"hierarchy", "parallelism", "--device", "cpu", "--size", "256", "--chains", "8"});
  CHECK(chains.status == 5);
  CHECK_THAT(chains.out + chains.err, Contains("holds 4 lines of 64 bytes, 8 chains need 8"));
  const Outcome cube = invoke({"roofline", "stencil", "--device", "cpu", "--size", "64"});
  CHECK(cube.status == 5);
  CHECK_THAT(cube.out + cube.err, Contains("has no interior"));
}

TEST_CASE("without huge pages small ones are measured, recorded and warned of") {
  Start start;
  start.in_child = [] { prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); };
  const Outcome outcome = invoke(shortly({"hierarchy", "latency", "--size", "16Mi", "--pages", "huge"}), start);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const json report = json::parse(outcome.out);
  CHECK(report["records"][0]["method"]["page_size"] <= 65536);
  CHECK(found(report, "no-huge-pages"));
}

TEST_CASE("on one core every family measures with one thread, and what needs two says so") {
  for (const char* family : {"hierarchy", "roofline", "access", "atomics", "launch"}) {
    std::vector<std::string> arguments{family};
    const bool sized = family != std::string("atomics") && family != std::string("launch");
    if (sized) arguments.insert(arguments.end(), {"--size", "16Ki"});
    const Outcome outcome = invoke(shortly(arguments), on_one_core());
    INFO(family << ": " << outcome.err);
    REQUIRE(outcome.status == 0);
    const json report = json::parse(outcome.out);
    int measured = 0;
    for (const json& record : report["records"]) {
      INFO(record["benchmark"] << " " << record["point"].dump() << " " << record["reason"]);
      if (record["point"].contains("threads")) CHECK(record["point"]["threads"] == 1);
      if (record["benchmark"].get<std::string>().ends_with(".handover")) {
        CHECK(record["status"] == "skipped");
        CHECK_THAT(record["reason"].get<std::string>(), Contains("only one core may be used"));
      }
      CHECK(record["status"] != "failed");
      measured += record["verification"]["status"] == "passed" ? 1 : 0;
    }
    CHECK(measured > 0);
  }
}

TEST_CASE("a curve of few sizes tells of no level") {
  const Outcome few = invoke(shortly({"hierarchy", "latency", "--size", "4Ki,8Ki,16Ki"}));
  REQUIRE(few.status == 0);
  const json report = json::parse(few.out);
  CHECK_FALSE(found(report, "levels-found"));
  CHECK_FALSE(found(report, "levels-told"));
}
