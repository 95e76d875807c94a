// Each verdict with its exit status, from reports on a disk.
#include <catch2/catch.hpp>

#include "tests/gate/folders.hpp"

using namespace ridge;
using namespace ridge::test;
using Catch::Contains;

TEST_CASE("an A/A comparison passes and says what it could have seen") {
  const auto outcome = compare_after([](record::Report&) {});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("passed: 5 same"));
  CHECK_THAT(outcome.out, Contains("10 baseline runs, 3 new; false alarms 1.0 % over 5 metrics; sees slowdowns of"));
}

TEST_CASE("a slowdown of twice the tolerance in one metric fails, and is the only one named") {
  const auto outcome = compare_after([](record::Report& report) { *report.records[2].metrics[0].value *= 1.10; });
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, Contains("FAILED: 1 regressed, 4 same"));
  CHECK_THAT(outcome.out, Contains("latency.c"));
}

TEST_CASE("a collective is judged at each size by itself") {
  const Folder folder;
  const auto collective = [](std::vector<record::Report> all) {
    for (record::Report& report : all)
      for (std::size_t i = 0; i < report.records.size(); ++i) {
        record::Record& record = report.records[i];
        record.benchmark = "allreduce";
        record.point = {};
        record.point.set("size", std::int64_t{8} << (4 * i));
        record.point.set("algorithm", std::string("ring"));
      }
    return all;
  };
  put(folder, "base", collective(runs(0, 10)));
  auto fresh = collective(runs(20, 3));
  for (record::Report& report : fresh) *report.records[3].metrics[0].value *= 1.10;
  put(folder, "new", fresh);
  const auto outcome = invoke({"compare", folder / "base", folder / "new"});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, Contains("FAILED: 1 regressed, 4 same"));
  CHECK_THAT(outcome.out, Contains("allreduce size=32768 algorithm=ring on cpu: time\nregressed"));
}

TEST_CASE("an improvement passes and is told") {
  const auto outcome = compare_after([](record::Report& report) { *report.records[2].metrics[0].value *= 0.8; });
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("passed: 1 improved, 4 same"));
}

TEST_CASE("an implausible improvement is invalid") {
  const auto outcome = compare_after([](record::Report& report) { *report.records[2].metrics[0].value *= 0.1; });
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("1 invalid"));
  CHECK_THAT(outcome.out, Contains("beyond the plausible"));
}

TEST_CASE("a value above a known peak is invalid") {
  const auto outcome = compare_after([](record::Report& report) {
    report.records[2].metrics[0].peak = record::Peak{1e-6, "table: example"};
  });
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("105 % of the known peak"));
}

TEST_CASE("a vanished benchmark is missing, and a renamed one missing and new") {
  auto outcome = compare_after([](record::Report& report) { report.records.erase(report.records.begin() + 1); });
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("1 missing"));
  outcome = compare_after([](record::Report& report) { report.records[1].benchmark = "latency.renamed"; });
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("1 missing") && Contains("1 new"));
}

TEST_CASE("an additional benchmark is new and passes") {
  const auto outcome = compare_after([](record::Report& report) { report.records.push_back(latency("more", 1e-6)); });
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("1 new"));
}

TEST_CASE("a benchmark that was skipped, failed or not run is missing, with the reason") {
  for (const auto status : {record::Status::skipped, record::Status::failed, record::Status::not_run}) {
    const auto outcome = compare_after([&](record::Report& report) {
      report.records[1].status = status;
      report.records[1].reason = "the driver is gone";
      report.records[1].metrics.clear();
    });
    CHECK(outcome.status == 3);
    CHECK_THAT(outcome.out, Contains("1 missing") && Contains("the driver is gone"));
  }
}

TEST_CASE("a suspect or wrong result is invalid, never a pass") {
  auto outcome = compare_after([](record::Report& report) {
    report.records[1].status = record::Status::suspect;
    report.records[1].reason = "launch-limited";
  });
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("1 invalid") && Contains("launch-limited"));
  outcome = compare_after([](record::Report& report) {
    report.records[1].status = record::Status::failed;
    report.records[1].failure = record::Failure::wrong_answer;
    report.records[1].reason = "element 7 is wrong";
    report.records[1].metrics.clear();
  });
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("1 invalid") && Contains("element 7 is wrong"));
}

TEST_CASE("null and zero have no ratio") {
  for (const std::optional<double> value :
       {std::optional<double>{}, std::optional<double>{0.0}, std::optional<double>{-1.0}}) {
    const auto outcome = compare_after([&](record::Report& report) { report.records[0].metrics[0].value = value; });
    CHECK(outcome.status == 3);
    CHECK_THAT(outcome.out, Contains("1 invalid"));
  }
}

TEST_CASE("another unit, direction or workload version is not comparable") {
  auto outcome = compare_after([](record::Report& report) { report.records[0].metrics[0].unit = record::Unit::bytes; });
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("unit s in the baseline, B in the new report"));
  outcome = compare_after([](record::Report& report) { report.records[0].metrics[0].better = record::Better::higher; });
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("better is lower in the baseline, higher"));
  outcome = compare_after([](record::Report& report) { report.records[0].workload_version = 2; });
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("workload_version 1 in the baseline, 2"));
}

TEST_CASE("a benchmark that occurs twice in one report is invalid") {
  const auto outcome = compare_after([](record::Report& report) { report.records.push_back(report.records[0]); });
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("occurs twice"));
}

TEST_CASE("noise hides a change: undecided passes with a word, and fails when strict") {
  const Folder folder;
  std::vector<record::Report> base;
  for (int i = 0; i < 5; ++i) base.push_back(report({1e-6 * (1 + 0.2 * ((i * 2) % 5))}, i));
  put(folder, "base", base);
  put(folder, "new", {report({1.5e-6}, 9)});
  put_text(folder / "rules.toml", "[[rule]]\nmatch = \"*\"\ntolerance = 0.05\n");
  const std::vector<std::string> command{"compare", folder / "base", folder / "new", "--rules", folder / "rules.toml"};
  auto outcome = invoke(command);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("1 undecided") && Contains("smallest change that would be seen"));
  auto strict = command;
  strict.push_back("--strict");
  CHECK(invoke(strict).status == 6);
}

TEST_CASE("one run on each side: the tolerance alone decides, and that is said") {
  const Folder folder;
  put(folder, "base", {report({1e-6}, 0)});
  put(folder, "new", {report({1.2e-6}, 1)});
  const auto outcome = invoke({"compare", folder / "base/run-00.json", folder / "new/run-00.json"});
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out,
             Contains("no spread known, tolerance only") && Contains("how often this gate is wrong is not known"));
}

TEST_CASE("another machine is not comparable unless allowed, and the fields are named by tier") {
  const auto change = [](record::Report& report) {
    report.machine.identity.cpu_model = "Other CPU";
    report.machine.software.kernel = "6.2.0";
  };
  auto outcome = compare_after(change);
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.out, Contains("identity.cpu_model: Example CPU 3000 in the baseline, Other CPU now"));
  CHECK_THAT(outcome.out, Contains("software.kernel: 6.1.0 in the baseline, 6.2.0 now"));
  outcome = compare_after(change, {"--allow-different-machine"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("DIFFERENT MACHINES"));
  for (const auto* format : {"json", "markdown", "junit", "github", "openmetrics"}) {
    outcome = compare_after(change, {"--allow-different-machine", "--format", format});
    CHECK_THAT(outcome.out, Contains("DIFFERENT MACHINES") || Contains("ridge_gate_different_machine 1"));
  }
}

TEST_CASE("other software and another host name are comparable") {
  auto outcome = compare_after([](record::Report& report) { report.machine.software.kernel = "6.2.0"; });
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("software.kernel"));
  outcome = compare_after([](record::Report& report) { report.machine.incidental.hostname = "node-2"; });
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, !Contains("hostname"));
}

TEST_CASE("everything slower together is a regression that is tagged as a shift of the machine") {
  const auto outcome = compare_after([](record::Report& report) {
    for (auto& record : report.records) *record.metrics[0].value *= 1.12;
  });
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, Contains("uniform shift of +1") && Contains("suspect the machine or its clock"));
  CHECK_THAT(outcome.out, Contains("regressed (uniform shift)"));
}

TEST_CASE("with several failures the regression counts first") {
  const auto outcome = compare_after([](record::Report& report) {
    *report.records[2].metrics[0].value *= 1.2;
    report.records.erase(report.records.begin());
  });
  CHECK(outcome.status == 1);
  CHECK_THAT(outcome.out, Contains("1 regressed, 1 missing"));
}
