// Every output: well formed, the same bytes for the same input, and names as data.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/gate/folders.hpp"

using namespace ridge;
using namespace ridge::test;
using Catch::Contains;

namespace {

const std::string evil = "../x<script>alert(1)</script>\n::error::\x1b[31m|`$(id)`\"'&%0A";

Outcome evil_in(const std::string& format) {
  const Folder folder;
  auto base = runs(0, 10);
  auto fresh = runs(20, 3);
  for (auto& each : base) each.records[0].benchmark = evil;
  for (auto& each : fresh) {
    each.records[0].benchmark = evil;
    *each.records[0].metrics[0].value *= 2;
  }
  put(folder, "base", base);
  put(folder, "new", fresh);
  return invoke({"compare", folder / "base", folder / "new", "--format", format});
}

}  // namespace

TEST_CASE("names with markup, control characters and paths are data in every output") {
  for (const auto* format : {"table", "json", "markdown", "junit", "github", "openmetrics"}) {
    const auto outcome = evil_in(format);
    INFO(format);
    CHECK(outcome.status == 1);
    CHECK(outcome.out.find('\x1b') == std::string::npos);
    CHECK_THAT(outcome.out, !Contains("\n::error::"));
  }
  CHECK_THAT(evil_in("markdown").out, !Contains("<script>"));
  CHECK_THAT(evil_in("junit").out, !Contains("<script>"));
  CHECK(nlohmann::json::parse(evil_in("json").out)
            .at("metrics")
            .at(0)
            .at("id")
            .get<std::string>()
            .starts_with("../x<script>"));
}

TEST_CASE("several outputs are written at once, each the same every time") {
  const Folder folder;
  put(folder, "base", runs(0, 10));
  put(folder, "new", runs(20, 3, 1.2));
  const auto written = [&](const std::string& suffix) {
    std::vector<std::string> command{"compare", folder / "base", folder / "new"};
    for (const auto* format : {"table", "json", "markdown", "junit", "github", "openmetrics"})
      command.insert(command.end(), {"--out", fmt::format("{}:{}", format, folder / (std::string(format) + suffix))});
    CHECK(invoke(command).status == 1);
  };
  written(".1");
  written(".2");
  for (const std::string format : {"table", "json", "markdown", "junit", "github", "openmetrics"}) {
    CHECK_FALSE(text_of(folder / (format + ".1")).empty());
    CHECK(text_of(folder / (format + ".1")) == text_of(folder / (format + ".2")));
  }
  const auto json = nlohmann::json::parse(text_of(folder / "json.1"));
  CHECK(json.at("exit") == 1);
  CHECK(json.at("counts").at("regressed") == 1);
  CHECK(json.at("metrics").size() == 5);
  CHECK_THAT(text_of(folder / "junit.1"), Contains("tests=\"5\" failures=\"1\" errors=\"0\" skipped=\"0\""));
  CHECK_THAT(text_of(folder / "github.1"), Contains("::error title=ridge gate%3A regressed::latency.a"));
  CHECK_THAT(text_of(folder / "openmetrics.1"), Contains("ridge_gate_exit 1\n") && Contains("# EOF\n"));
  CHECK_THAT(text_of(folder / "markdown.1"), Contains("<details><summary>4 unchanged</summary>"));
}

TEST_CASE("an output that cannot be written, or is not spelled right, is found before anything else") {
  const Folder folder;
  put(folder, "base", runs(0, 3));
  for (const auto* out : {"json", "json:", "yaml:x", "junit:/nowhere/at/all.xml"}) {
    const auto outcome = invoke({"compare", folder / "base", folder / "base", "--out", out});
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
  }
}

TEST_CASE("a JUnit report of a refused comparison is not an empty, passing suite") {
  const auto outcome =
      compare_after([](record::Report& report) { report.machine.identity.cores_used = 64; }, {"--format", "junit"});
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("errors=\"5\""));
}
