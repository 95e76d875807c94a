// What a good run leaves: exit status, streams, the report, the same record again from its reproduction line.
#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stop_token>
#include <thread>

#include "tests/cli/ridge.hpp"
#include "tests/support/skip.hpp"

using Catch::Contains;
using nlohmann::json;
using ridge::test::Folder;
using ridge::test::invoke;
using ridge::test::Outcome;
using ridge::test::quick;
using ridge::test::Start;

namespace {

json report_of(const std::vector<std::string>& arguments, const Start& start = {}) {
  std::vector<std::string> all = arguments;
  all.insert(all.end(), {"--json", "-"});
  const Outcome outcome = invoke(all, start);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

json read(const std::string& path) {
  std::ifstream in(path);
  return json::parse(in);
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

}  // namespace

TEST_CASE("a run puts the table on stdout and the report where it was asked for") {
  const Folder folder;
  const Outcome outcome = invoke(quick({"--json", folder / "report.json"}));
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("triad") && Contains("B/s"));
  const json report = read(folder / "report.json");
  CHECK(report["schema"] == "ridge-report");
  REQUIRE(report["records"].size() == 1);
  const json& record = report["records"][0];
  CHECK(record["benchmark"] == "bandwidth.triad");
  CHECK(record["status"] == "ok");
  CHECK(record["samples"].size() == 2);
  CHECK(record["verification"]["status"] == "passed");
  CHECK(record["verification"]["checked"] == 8192);
  CHECK(record["work"]["bytes_read"] == 131072);
  CHECK(record["work"]["bytes_written"] == 65536);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);  // no temporary file stays
}

TEST_CASE("the option --json - carries the report alone, csv and markdown carry a line per record") {
  const json report = report_of(quick());
  CHECK(report["records"].size() == 1);
  const Outcome csv = invoke(quick({"--format", "csv"}));
  CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') >= 2);
  CHECK_THAT(invoke(quick({"--format", "markdown"})).out, Contains("| "));
  CHECK(json::parse(invoke(quick({"--format", "json"})).out)["records"].size() == 1);
}

TEST_CASE("the reproduction line gives the same record again") {
  const json first = report_of(quick())["records"][0];
  auto line = words(first["reproduce"]);
  REQUIRE(line.front() == "ridge");
  line.erase(line.begin());
  const json second = report_of(line)["records"][0];
  for (const char* key : {"benchmark", "workload_version", "point", "device", "work", "reproduce"}) {
    INFO(key);
    CHECK(first[key] == second[key]);
  }
  CHECK(first["method"]["cache"] == second["method"]["cache"]);
}

TEST_CASE("odd element counts are measured and verified to the last element") {
  for (const char* elements : {"1", "7", "1000003"}) {
    INFO(elements);
    const json report = report_of({"bandwidth", "--device", "cpu", "--elements", elements, "--rounds", "2",
                                   "--min-time", "1ms", "--dtype", "f32,f64"});
    for (const json& record : report["records"]) {
      INFO(record["benchmark"] << " " << record["point"].dump());
      CHECK((record["status"] == "ok" || record["status"] == "suspect"));
      CHECK(record["verification"]["status"] == "passed");
    }
  }
}

TEST_CASE("a dry run plans and measures nothing") {
  const Outcome outcome = invoke({"run", "--suite", "node", "--device", "cpu", "--dry-run"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("dry run"));
}

TEST_CASE("a GPU that is not there is skipped with the reason: 5") {
  const Outcome outcome = invoke({"bandwidth", "triad", "--device", "cuda"});
  CHECK(outcome.status == 5);
  CHECK_THAT(outcome.err, Contains("libcuda.so.1"));
}

TEST_CASE("a size beyond the memory fails with both byte counts: 4") {
  const Outcome outcome = invoke({"bandwidth", "triad", "--device", "cpu", "--size", "4Ti"});
  CHECK(outcome.status == 4);
  CHECK_THAT(outcome.out, Contains("needs"));
}

TEST_CASE("a time-out keeps what there is: 4") {
  const Folder folder;
  const Outcome outcome = invoke({"bandwidth", "copy", "triad", "--device", "cpu", "--size", "1Mi", "--rounds",
                                  "100000", "--min-time", "5ms", "--timeout", "1s", "--json", folder / "r.json"});
  CHECK(outcome.status == 4);
  const json report = read(folder / "r.json");
  for (const json& record : report["records"])
    CHECK_THAT(record["reason"].get<std::string>(),
               Contains("time-out "));  // "after n of 100000 rounds", or "before its turn" on a busy machine
}

TEST_CASE("Ctrl-C and SIGTERM leave a valid partial report that says so") {
  for (const auto& [signal, status] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    const Folder folder;
    Start start;
    start.signal = signal;
    start.signal_after = 1.5;
    start.twice = signal == SIGINT;
    const Outcome outcome = invoke({"bandwidth", "copy", "triad", "--device", "cpu", "--size", "1Mi", "--rounds",
                                    "100000", "--min-time", "5ms", "--json", folder / "r.json"},
                                   start);
    CHECK(outcome.status == status);
    const json report = read(folder / "r.json");
    CHECK(report["interrupted"] == true);
    CHECK(report["records"].size() == 2);
    CHECK_THAT(report["records"][0]["reason"].get<std::string>(), Contains("interrupted"));
    CHECK(report["records"][0]["samples"].size() < 100000);
  }
}

TEST_CASE("one core by affinity: one thread is used and recorded") {
  const json report = report_of(quick(), ridge::test::on_one_core());
  CHECK(report["machine"]["identity"]["cores_used"] == 1);
  CHECK(report["records"][0]["point"]["threads"] == 1);
}

TEST_CASE("a program that has a part of the CPU that is measured is told of") {
  const Start start = ridge::test::on_one_core();
  const std::jthread other([&start](const std::stop_token& ended) {
    start.in_child();
    while (!ended.stop_requested()) {
    }
  });
  const json report =
      report_of({"bandwidth", "copy", "--device", "cpu", "--size", "64Ki", "--min-time", "20ms"}, start);
  const json& told = report["records"][0]["conditions"]["run_delay_fraction"];
  if (told.is_null()) return ridge::test::skip("needs a kernel that counts what threads wait for a CPU");
  CHECK(told > 0.05);
  CHECK_THAT(report["findings"].dump(), Contains("cpu-taken") && Contains("(1 of 1 records)"));
}

TEST_CASE("more threads than cores is measured and suspect") {
  const json report = report_of(quick({"--threads", "64"}));
  CHECK(report["records"][0]["status"] == "suspect");
  CHECK_THAT(report["records"][0]["reason"].get<std::string>(), Contains("oversubscribed"));
}

TEST_CASE("neither the locale, the folder nor an empty environment changes the numbers' spelling") {
  Start start;
  start.folder = "/";
  start.environment = {
      {"LC_ALL", "de_DE.UTF-8"}, {"LANG", "de_DE.UTF-8"}, {"BENCHMARK_REPETITIONS", "9"}, {"BENCHMARK_FILTER", "x"}};
  CHECK(report_of(quick(), start)["records"][0]["samples"].size() == 2);
  Start bare;
  bare.empty_environment = true;
  CHECK(report_of(quick(), bare)["records"][0]["status"] == "ok");
}

TEST_CASE("a terminal of forty columns gets lines of forty columns") {
  Start start;
  start.environment = {{"COLUMNS", "40"}};
  for (const char* command : {"list", "info"}) {
    std::istringstream lines(invoke({command}, start).out);
    for (std::string line; std::getline(lines, line);) {
      INFO(command << ": " << line);
      // Bytes that begin a character: every one of them here takes one column.
      const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
      CHECK(columns <= 40);
    }
  }
}

TEST_CASE("info writes a report without records, and says why a device is not there") {
  const Folder folder;
  const std::string file = folder.text() + "/info.json";
  CHECK(invoke({"info", "--json", file}).status == 0);
  std::ifstream in(file);
  const auto written = nlohmann::json::parse(in);
  CHECK(written["records"].empty());
  CHECK(written["machine"]["identity"].is_object());
  const Outcome both = invoke({"info", "--json", "-"});
  CHECK(nlohmann::json::parse(both.out)["machine"]["identity"] == written["machine"]["identity"]);
  CHECK(invoke({"info", "--json", "/nonexistent/info.json"}).status == 2);
  CHECK(invoke({"info", "--device", "gpu"}).status == 2);
  const Outcome absent = invoke({"info", "--device", "cuda:63"});
  CHECK(absent.status == 5);
  CHECK_THAT(absent.err, Contains("cuda:63: "));
  CHECK(absent.out.empty());
}

TEST_CASE("a family's command measures its part of a suite") {
  const Outcome outcome = invoke({"hierarchy", "--suite", "quick", "--dry-run", "--device", "cpu"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("hierarchy.latency on cpu") && Contains("chains=16") && !Contains("chains=2 "));
  CHECK_THAT(outcome.out, !Contains("bandwidth.triad"));
}

TEST_CASE("explain shows this machine's own figures after a run") {
  const Folder home;
  Start start;
  start.environment = {{"XDG_STATE_HOME", home.text()}};
  CHECK_THAT(invoke({"explain", "bandwidth.triad"}, start).out, Contains("No stored report"));
  CHECK(invoke(quick(), start).status == 0);
  const Outcome outcome = invoke({"explain", "bandwidth.triad"}, start);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("128 KiB read") && Contains("GB/s"));
}

TEST_CASE("the build type is stamped where it is not Release") {
  const json report = report_of(quick());
  if (report["tool"]["build_type"] != "Release") {
    CHECK(report["findings"][0]["code"] == "not-release");
  } else {
    CHECK(report["findings"].dump().find("not-release") == std::string::npos);
  }
}
