// Collectives between threads as a user runs them: every operation, odd sizes, too many ranks, and predictions apart
// from what was measured.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>

#include "tests/cli/ridge.hpp"
#include "tests/support/skip.hpp"

using Catch::Contains;
using nlohmann::json;
using ridge::test::Folder;
using ridge::test::invoke;
using ridge::test::Outcome;

namespace {

json measured(std::vector<std::string> arguments, int status = 0) {
  const Folder folder;
  for (const char* more : {"--rounds", "1", "--min-time", "1ms", "--quiet", "--device", "cpu", "--json"})
    arguments.emplace_back(more);
  arguments.push_back(folder / "r.json");
  const Outcome outcome = invoke(arguments);
  INFO(outcome.err << outcome.out);
  CHECK(outcome.status == status);
  std::ifstream in(folder / "r.json");
  REQUIRE(in);
  return json::parse(in);
}

const json* metric(const json& record, const std::string& name) {
  const json& metrics = record["metrics"];
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const json& m) { return m["name"] == name; });
  return found == metrics.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("each operation measures every algorithm that it has, with sizes that are no multiples of anything") {
  for (const std::string operation :
       {"allreduce", "allgather", "reducescatter", "broadcast", "reduce", "alltoall", "sendrecv"}) {
    INFO(operation);
    const json report =
        measured({operation, "--ranks", "2", "--size", "1003", "--dtype", "f16,f64", "--algorithm", "all"});
    int ran = 0;
    for (const json& record : report["records"]) {
      if (record["status"] == "skipped") {
        CHECK_THAT(record["reason"].get<std::string>(), Contains("library"));
        continue;
      }
      CHECK(record["verification"]["status"] == "passed");
      if (record["status"] == "ok") CHECK(metric(record, "algbw") != nullptr);
      ++ran;
    }
    CHECK(ran >= 2);
    const json& findings = report["findings"];
    CHECK(std::any_of(findings.begin(), findings.end(),
                      [](const json& f) { return f["code"].get<std::string>().ends_with("size-rounded"); }));
  }
  const json report = measured({"barrier", "--ranks", "2", "--algorithm", "central,dissemination"});
  for (const json& record : report["records"]) CHECK(record["verification"]["status"] == "passed");
  REQUIRE(report["ranks"].size() == 2);  // threads of one process
  CHECK(report["ranks"][0]["pid"] == report["ranks"][1]["pid"]);
  for (const json& rank : report["ranks"]) CHECK(rank["times"].size() == 2);
}

TEST_CASE("ranks that join are asked how fast they join by themselves, and ranks that only move are not") {
  if (std::thread::hardware_concurrency() < 2) ridge::test::skip("needs a CPU for each of two ranks");
  const json joins = measured({"allreduce", "--ranks", "2", "--size", "4,64Ki", "--algorithm", "all"});
  for (const json& record : joins["records"]) {
    if (record["status"] == "skipped") continue;
    const json* const rate = metric(record, "join_rate");
    if (record["point"]["size"] == 4) {  // a single element is not joined with another of the same rank
      CHECK(rate == nullptr);
      continue;
    }
    REQUIRE(rate != nullptr);
    CHECK((*rate)["unit"] == "B/s");
    CHECK((*rate)["value"].get<double>() > 0);
    CHECK((*rate)["better"] == "neither");
  }
  const json moves = measured({"allgather", "--ranks", "2", "--size", "64Ki", "--algorithm", "all"});
  for (const json& record : moves["records"]) CHECK(metric(record, "join_rate") == nullptr);
}

TEST_CASE("one element for sixteen ranks is too few to share, and sixteen ranks are too many for few cores") {
  const json none = measured({"allgather", "--ranks", "16", "--elements", "1"}, 5);
  CHECK_THAT(none["records"][0]["reason"].get<std::string>(), Contains("each of 16 ranks"));
  const json report = measured({"allreduce", "--ranks", "16", "--elements", "1,3,1000003", "--algorithm", "ring"});
  for (const json& record : report["records"]) CHECK(record["verification"]["status"] == "passed");
}

TEST_CASE("a prediction is a finding that says so, and never a record") {
  const json report =
      measured({"allreduce", "--ranks", "2", "--size", "8,1Ki,64Ki,256Ki", "--algorithm", "ring", "--predict", "8,64"});
  CHECK(report["records"].size() == 4);
  for (const json& record : report["records"]) CHECK(record["point"]["ranks"] == 2);
  int predictions = 0;
  for (const json& finding : report["findings"])
    if (finding["code"] == "allreduce-prediction") {
      const std::string text = finding["message"];
      CHECK((text.starts_with("predicted, not measured: ") || text.starts_with("nothing to predict from")));
      ++predictions;
    }
  CHECK(predictions >= 1);
}

TEST_CASE("an earlier report is predicted from without measuring, and says whose models they are") {
  const Folder folder;
  const std::string report = folder / "r.json";
  REQUIRE(invoke({"allreduce", "--device", "cpu", "--ranks", "2", "--size", "8,1Ki,64Ki,256Ki", "--algorithm", "ring",
                  "--rounds", "1", "--min-time", "1ms", "--quiet", "--json", report})
              .status == 0);
  // As a machine would have it on which each record is as it should be.
  json edited = [&] {
    std::ifstream in(report);
    return json::parse(in);
  }();
  json& records = edited["records"];
  for (json& record : records) {
    record["status"] = "ok";
    record["reason"] = nullptr;
    record["method"]["level"] = "L2";
    record["statistics"]["median"] = 2e-6 + record["point"]["size"].get<double>() * 1e-9;
  }
  std::ofstream(report) << edited;

  const Outcome told = invoke({"allreduce", "--predict", "4,8", "--from", report});
  INFO(told.err << told.out);
  CHECK(told.status == 0);
  CHECK_THAT(told.out,
             Contains("predicted, not measured: allreduce ring with 4 ranks") && Contains("6 us (1 us a step)"));
  CHECK_THAT(told.out, Contains("with 8 ranks") && Contains("the models are those of " + report.substr(0, 20)));
  ridge::test::Start slim;
  slim.environment["COLUMNS"] = "40";
  const Outcome narrow = invoke({"allreduce", "--predict", "4", "--from", report}, slim);
  std::istringstream lines(narrow.out);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 40);

  const Outcome as_json = invoke({"allreduce", "--predict", "4", "--from", report, "--json", "-"});
  const json predicted = json::parse(as_json.out);
  CHECK(predicted["records"].empty());
  REQUIRE(predicted["findings"].size() == 2);
  CHECK(predicted["findings"][0]["code"] == "allreduce-prediction");
  CHECK(predicted["findings"][1]["code"] == "prediction-source");
  CHECK(predicted["machine"] == edited["machine"]);

  const auto refused = [](const std::vector<std::string>& arguments, int status, const std::string& says) {
    const Outcome outcome = invoke(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == status);
    CHECK_THAT(outcome.err, Contains(says));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK(outcome.out.empty());
  };
  // A report of before ranks joined by themselves has two terms; another join predicts another time.
  const auto with_join = [&](std::optional<double> rate) {
    json other = edited;
    for (json& record : other["records"]) {
      record["point"]["algorithm"] = "recursive_doubling";
      json& metrics = record["metrics"];
      metrics.erase(
          std::remove_if(metrics.begin(), metrics.end(), [](const json& m) { return m["name"] == "join_rate"; }),
          metrics.end());
      if (rate)
        metrics.push_back({{"name", "join_rate"},
                           {"value", *rate},
                           {"unit", "B/s"},
                           {"better", "neither"},
                           {"peak", nullptr},
                           {"percent_of_peak", nullptr}});
    }
    std::ofstream(folder / "other.json") << other;
    ridge::test::Start wide;
    wide.environment["COLUMNS"] = "300";
    const Outcome outcome = invoke({"allreduce", "--predict", "6", "--from", folder / "other.json"}, wide);
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  CHECK_THAT(with_join({}), Contains("256 KiB in 1.057 ms") && !Contains("joined"));
  CHECK_THAT(with_join(2e9), Contains("256 KiB in 925") && Contains("joined / 2 GB/s"));

  refused({"allgather", "--predict", "4", "--from", report}, 5, "has no records of allgather");
  refused({"allreduce", "--from", report}, 2, "--from is for --predict");
  refused({"allreduce", "--predict", "1", "--from", report}, 2, "--predict: 1 is not between 2 and");
  refused({"allreduce", "--predict", "4", "--from", report, "--size", "8"}, 2, "--from and --size exclude each other");
  refused({"allreduce", "--predict", "4", "--from", report, "--format", "csv"}, 2, "--format");
  refused({"allreduce", "--predict", "4", "--from", folder / "none.json"}, 2, "--from: ");
  refused({"bandwidth", "--from", report}, 2, "unknown option --from");
  std::ofstream(folder / "bad.json") << "{\"records\": 1}";
  refused({"allreduce", "--predict", "4", "--from", folder / "bad.json"}, 2, "--from: ");
  records.erase(2);
  records.erase(2);
  std::ofstream(report) << edited;
  refused({"allreduce", "--predict", "4", "--from", report}, 5, "nothing to predict from: it takes at least two ranks");
}
