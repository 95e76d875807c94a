// Ranks that are processes, by both launchers, and every way in which they can fail: each ends in time with one line
// that names host, rank and phase, the exit status that is documented, and a report that can be read.
#include <algorithm>
#include <thread>

#include "tests/cli/launchers.hpp"
#include "tests/support/skip.hpp"

using Catch::Contains;
using nlohmann::json;
using namespace ridge::test;

TEST_CASE("both launchers make one world, and one report with an entry for each rank") {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (const Launcher& launcher : {open_mpi, mpich}) {
    if (!is_here(launcher.program)) ridge::test::skip("needs " + launcher.program);
    INFO(launcher.program);
    const Folder folder;
    const Outcome outcome = ridge::test::run(
        ranks_of(launcher, 2,
                 joined(brief("allreduce", folder / "r.json"), {"--size", "8,1003", "--algorithm", "all"})),
        start());
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') < 40);  // once, not by every rank
    const json report = read(folder / "r.json");
    REQUIRE(report["ranks"].size() == 2);
    CHECK(report["ranks"][1]["rank"] == 1);
    CHECK(report["ranks"][0]["pid"] != report["ranks"][1]["pid"]);
    CHECK_THAT(report["machine"]["software"]["libraries"]["mpi"].get<std::string>(), Contains(launcher.library));
    int verified = 0;
    for (const json& record : report["records"]) {
      INFO(record.dump());
      CHECK(record["point"]["engine"] == "mpi");
      CHECK(record["point"]["ranks"] == 2);
      if (record["point"]["algorithm"] == "direct") {
        CHECK(record["status"] == "skipped");
      } else {
        CHECK(record["verification"]["status"] == "passed");
        CHECK(record["samples"].size() == 1);
        const json& metrics = record["metrics"];
        const bool told =
            std::any_of(metrics.begin(), metrics.end(), [](const json& m) { return m["name"] == "join_rate"; });
        // Where ranks have a CPU each; a library does not tell how it joins.
        CHECK(told == (cores >= 2 && record["point"]["algorithm"] != "library"));
        ++verified;
      }
    }
    CHECK(verified == 2 * 6);
  }
}

TEST_CASE("every operation by processes is right on every element, and too many ranks are said to be") {
  if (!is_here(open_mpi.program)) ridge::test::skip("needs " + open_mpi.program);
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (const char* operation :
       {"allgather", "reducescatter", "broadcast", "reduce", "alltoall", "sendrecv", "barrier"}) {
    INFO(operation);
    const Folder folder;
    Words arguments = joined(brief(operation, folder / "r.json"), {"--algorithm", "all"});
    if (std::string(operation) != "barrier")
      arguments = joined(arguments, {"--elements", "3,1000", "--dtype", "f32,bf16"});
    const Outcome outcome = ridge::test::run(ranks_of(open_mpi, 3, arguments), start());
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    const json report = read(folder / "r.json");
    int verified = 0;
    for (const json& record : report["records"]) {
      if (record["status"] == "skipped") continue;
      INFO(record.dump());
      CHECK(record["verification"]["status"] == "passed");
      if (cores < 3) CHECK_THAT(record["reason"].get<std::string>(), Contains("oversubscribed"));
      ++verified;
    }
    CHECK(verified >= 1);
  }
}

TEST_CASE("without a launcher the mpi engine is one rank, which has no busbw") {
  const Folder folder;
  const Outcome outcome =
      invoke(joined(brief("allreduce", folder / "r.json"), {"--engine", "mpi", "--size", "1Ki"}), start());
  if (outcome.status == 5) ridge::test::skip("needs an MPI: " + outcome.err);
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  const json report = read(folder / "r.json");
  const json& metrics = report["records"][0]["metrics"];
  const auto busbw = std::find_if(metrics.begin(), metrics.end(), [](const json& m) { return m["name"] == "busbw"; });
  REQUIRE(busbw != metrics.end());
  CHECK((*busbw)["value"].is_null());
}

TEST_CASE("what does not go with the launcher is a usage error") {
  Start two = start();
  two.environment["OMPI_COMM_WORLD_SIZE"] = "2";
  two.environment["OMPI_COMM_WORLD_RANK"] = "0";
  const auto refused = [&](const Words& arguments, const Start& how, const std::string& says) {
    const Outcome outcome = invoke(arguments, how);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains(says));
    CHECK(said(outcome).size() == 1);
  };
  refused({"allreduce", "--engine", "threads"}, two, "the launcher started 2 (OMPI_COMM_WORLD_SIZE)");
  refused({"allreduce", "--ranks", "3"}, two, "--ranks 3: the launcher started 2");
  refused({"allreduce", "--suite", "quick"}, two, "--suite");
  refused({"allreduce", "--engine", "mpi", "--ranks", "4"}, start(), "mpirun -n 4");
  refused({"allreduce", "--engine", "nccl"}, start(), "--engine");
}

TEST_CASE("ranks started with different arguments do not start") {
  if (!is_here(open_mpi.program)) ridge::test::skip("needs " + open_mpi.program);
  const Folder folder;
  const Words first = joined(brief("allreduce", folder / "r.json"), {"--size", "8"});
  Words all = ranks_of(open_mpi, 1, first);
  all = joined(all, {":", "-n", "1", RIDGE_BINARY});
  all = joined(all, joined(brief("allreduce", folder / "r.json"), {"--size", "16"}));
  const Outcome outcome = ridge::test::run(all, start());
  check_line(outcome, "rank 0 of 2", "join", "rank 1 on ");
  CHECK_THAT(outcome.err, Contains("was started with other arguments"));
  CHECK(outcome.status == 2);
  const json report = read(folder / "r.json");
  CHECK(report["records"][0]["status"] == "failed");
}

TEST_CASE("a rank that never joins ends the others in time") {
  if (!is_here(open_mpi.program)) ridge::test::skip("needs " + open_mpi.program);
  const Folder folder;
  Words all = ranks_of(open_mpi, 1, joined(brief("allreduce", folder / "r.json"), {"--size", "8", "--timeout", "2s"}));
  all = joined(all, {":", "-n", "1", "sleep", "50"});
  Start how = start();
  how.limit = 30;
  const Outcome outcome = ridge::test::run(all, how);
  check_line(outcome, "rank 0 of 2", "join", "no answer within 2 s");
  CHECK(outcome.status == 4);
  const json report = read(folder / "r.json");
  CHECK(report["records"][0]["status"] == "failed");
  CHECK_THAT(report["records"][0]["reason"].get<std::string>(), Contains("join"));
}

// By Open MPI's launcher: MPICH's kills all others in the same moment, and leaves nobody to tell.
TEST_CASE("a rank that is killed in the middle is named, and what was measured is kept") {
  if (!is_here(open_mpi.program)) ridge::test::skip("needs " + open_mpi.program);
  const Folder folder;
  const Words arguments = {"allreduce", "--size",     "8",    "--algorithm", "library", "--rounds",
                           "500",       "--min-time", "20ms", "--quiet",     "--json",  folder / "r.json"};
  std::string line = RIDGE_BINARY;
  for (const std::string& each : arguments) line += " " + each;
  Words all = ranks_of(open_mpi, 1, arguments);
  // The shell becomes the rank, after it has left somebody behind to kill it: three seconds after it has opened MPI, as
  // until then it is nobody's rank.
  const std::string opened = "while [ -d /proc/$$ ] && ! grep -q ridge-mpi-openmpi /proc/$$/maps; do sleep 0.1; done";
  all = joined(all, {":", "-n", "1", "sh", "-c", "(" + opened + "; sleep 3; kill -9 $$) & exec " + line});
  // The launcher ends the other rank as well, and on a loaded machine its second of grace is soon over.
  Start how = start();
  how.environment["OMPI_MCA_odls_base_sigkill_timeout"] = "5";
  const Outcome outcome = ridge::test::run(all, how);
  check_line(outcome, "rank 0 of 2", "measure allreduce", "rank 1 on ");
  CHECK_THAT(outcome.err, Contains("is gone"));
  CHECK(outcome.status != 0);  // the launcher's, of the rank that was killed
  const json report = read(folder / "r.json");
  CHECK(report["ranks"].size() == 2);
  std::size_t samples = 0;
  for (const json& record : report["records"]) {
    CHECK(record["status"] != "ok");
    samples += record["samples"].size();
  }
  CHECK(samples > 0);
}

TEST_CASE("processes that only think they are a job are told so") {
  if (!is_here(open_mpi.program) || !is_here(mpich.program)) ridge::test::skip("needs two MPIs");
  const Folder folder;
  Start how = start();
  how.environment["RIDGE_MPI"] = "openmpi";  // under MPICH's launcher
  const Outcome outcome =
      ridge::test::run(ranks_of(mpich, 2, joined(brief("allreduce", folder / "r.json"), {"--size", "8"})), how);
  check_line(outcome, "rank 0 of 2", "join", "this process is one of 1");
  CHECK_THAT(outcome.err, Contains("2 ranks (PMI_SIZE)"));
  CHECK(outcome.status == 4);
  const json report = read(folder / "r.json");
  CHECK(report["records"][0]["status"] == "failed");
}

TEST_CASE("a launcher without this build's MPI is a reason, said once") {
  if (!is_here(open_mpi.program)) ridge::test::skip("needs " + open_mpi.program);
  const Folder folder;
  std::filesystem::copy_file(RIDGE_BINARY, folder / "ridge");  // and no module beside it
  Words all = ranks_of(open_mpi, 2, joined(brief("allreduce", folder / "r.json"), {"--size", "8"}));
  std::replace(all.begin(), all.end(), std::string(RIDGE_BINARY), folder / "ridge");
  const Outcome outcome = ridge::test::run(all, start());
  check_line(outcome, "rank 0 of 2", "join", "not this build's module for it");
  CHECK(outcome.status == 5);
  const json report = read(folder / "r.json");
  CHECK(report["records"][0]["status"] == "skipped");
}

TEST_CASE("shared memory of 1 MiB is an error or a slower way, and never a wrong sum") {
  const Words alone = {"/usr/bin/unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /dev/shm"};
  if (!is_here(open_mpi.program) || !is_here("unshare") || ridge::test::run(alone).status != 0)
    ridge::test::skip("needs to mount a /dev/shm of its own");
  const Folder folder;
  std::string line = "mount -t tmpfs -o size=1m tmpfs /dev/shm && exec";
  for (const std::string& each :
       ranks_of(open_mpi, 2, joined(brief("allreduce", folder / "r.json"), {"--size", "1Mi"})))
    line += " " + each;
  const Outcome outcome = ridge::test::run({"/usr/bin/unshare", "-m", "sh", "-c", line}, start());
  INFO(outcome.err);
  CHECK_FALSE(outcome.timed_out);
  const json report = read(folder / "r.json");
  for (const json& record : report["records"])
    CHECK((record["status"] == "failed") != (record["verification"]["status"] == "passed"));
}

TEST_CASE("a binary that starts without any MPI names it only when asked") {
  const Outcome needed =
      ridge::test::run({"/bin/sh", "-c", std::string("readelf -d ") + RIDGE_BINARY + " | grep NEEDED"});
  if (needed.status != 0) ridge::test::skip("needs readelf");
  CHECK_THAT(needed.out, !Contains("libmpi"));
  const Outcome plain = invoke({"allreduce", "--engine", "all", "--size", "8", "--rounds", "1", "--min-time", "1ms",
                                "--ranks", "1", "--algorithm", "ring"});
  CHECK(plain.status == 0);
  CHECK_THAT(plain.out, Contains("mpirun"));
}
