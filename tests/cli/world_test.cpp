// What a job has one of: a rank that is late, and a report of work that is one process'.
#include <algorithm>
#include <thread>

#include "tests/cli/launchers.hpp"
#include "tests/support/skip.hpp"

using Catch::Contains;
using nlohmann::json;
using namespace ridge::test;

TEST_CASE("one of two processes that really is late is the one that is named, in a finding and in its entry") {
  if (!is_here(open_mpi.program)) ridge::test::skip("needs " + open_mpi.program);
  if (std::string(RIDGE_SANITIZE) != "") ridge::test::skip("needs to preload a clock, which a sanitizer has");
  if (std::thread::hardware_concurrency() < 2) ridge::test::skip("needs a CPU for each of two ranks");
  const Folder folder;
  Start how = start();
  how.environment["RIDGE_TEST_LATE_RANK"] = "1";
  Words all{"/usr/bin/" + open_mpi.program, "-n", "2", "-x", std::string("LD_PRELOAD=") + LATE_RANK, RIDGE_BINARY};
  all = joined(all, joined(brief("allreduce", folder / "r.json"), {"--size", "8", "--algorithm", "library"}));
  const Outcome outcome = ridge::test::run(all, how);
  INFO(outcome.err << outcome.out);
  CHECK(outcome.status == 0);
  const json report = read(folder / "r.json");
  std::vector<std::string> named;
  for (const json& finding : report["findings"])
    if (finding["code"] == "allreduce-late-rank") named.push_back(finding["message"]);
  REQUIRE(named.size() == 1);
  const json& mine = report["ranks"][1];
  CHECK_THAT(named[0], Contains(": the others wait for rank 1 on " + mine["host"].get<std::string>() + " (process " +
                                mine["pid"].dump()));
  REQUIRE(mine["times"].size() == 1);
  CHECK(mine["times"][0]["late"] == true);
  CHECK(report["ranks"][0]["times"][0]["late"] == false);
  CHECK(mine["times"][0]["arrival"].get<double>() > 30e-3);
}

TEST_CASE("a suite under a launcher is measured once, and its one report says that the others did nothing") {
  for (const Launcher& launcher : {open_mpi, mpich}) {
    if (!is_here(launcher.program)) ridge::test::skip("needs " + launcher.program);
    INFO(launcher.program);
    // Ended by a time-out long before a suite is through: the report has all cases nevertheless.
    const Words arguments{"run", "--suite",   "ci",   "--device", "cpu",    "--rounds",
                          "1",   "--timeout", "10ms", "--quiet",  "--json", "-"};
    const Outcome outcome = ridge::test::run(ranks_of(launcher, 3, arguments), start());
    INFO(outcome.err << outcome.out.substr(0, 200));
    CHECK(outcome.status == 4);
    const json report = json::parse(outcome.out);  // of one rank: two would be no document
    CHECK(report["records"].size() > 3);
    const json& findings = report["findings"];
    const auto found =
        std::find_if(findings.begin(), findings.end(), [](const json& f) { return f["code"] == "one-of-several"; });
    REQUIRE(found != findings.end());
    CHECK_THAT((*found)["message"].get<std::string>(), Contains("the launcher started 3 processes"));
  }
  const Folder folder;
  Start alone = start();
  alone.environment["OMPI_COMM_WORLD_SIZE"] = "2";
  alone.environment["OMPI_COMM_WORLD_RANK"] = "1";
  const Outcome second = invoke({"run", "--json", folder / "r.json"}, alone);
  CHECK(second.status == 0);
  CHECK(second.out.empty());
  CHECK_THAT(second.err, Contains("rank 1 of 2 (OMPI_COMM_WORLD_SIZE)"));
  CHECK_FALSE(std::filesystem::exists(folder / "r.json"));
}
