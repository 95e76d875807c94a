// Ranks that are GPUs of several processes, on reference GPUs: who has which is agreed before anything starts.
#include <unistd.h>

#include <array>
#include <thread>

#include "tests/cli/launchers.hpp"
#include "tests/support/skip.hpp"

using Catch::Contains;
using nlohmann::json;
using namespace ridge::test;

TEST_CASE("ranks on GPUs agree who has which before anything starts, and none is taken twice") {
  if (!is_here(open_mpi.program) || !is_here(mpich.program)) ridge::test::skip("needs two MPIs");
  if (invoke({"allreduce", "--device", "ptx", "--ranks", "2", "--size", "64", "--quiet"}).status != 0)
    ridge::test::skip("needs a build with NCCL's header");
  const auto started = [](const Launcher& launcher, int ranks, const std::string& device, const std::string& report) {
    return ridge::test::run(
        ranks_of(launcher, ranks, joined(brief("allreduce", report), {"--size", "64", "--device", device})), start());
  };
  for (const Launcher& launcher : {open_mpi, mpich}) {
    INFO(launcher.program);
    const Folder folder;
    const Outcome agreed = started(launcher, 2, "ptx", folder / "r.json");
    INFO(agreed.err);
    CHECK(agreed.status == 5);
    const json report = read(folder / "r.json");
    REQUIRE(report["ranks"].size() == 2);
    for (int r = 0; r < 2; ++r)
      CHECK_THAT(report["ranks"][r]["gpu"].get<std::string>(), Contains("ptx:" + std::to_string(r) + " (GPU-"));
    CHECK(report["ranks"][0]["gpu"] != report["ranks"][1]["gpu"]);
    CHECK(report["records"][0]["status"] == "skipped");
    CHECK_THAT(report["records"][0]["reason"].get<std::string>(), Contains("these ranks agreed"));
  }
  const Folder folder;
  const Outcome many = started(open_mpi, 3, "ptx", folder / "r.json");
  check_line(many, "rank 0 of 3", "join", "more ranks than GPUs: 3 ranks on ");
  CHECK_THAT(many.err, Contains("which has 2: rank 0 and rank 2 would share ptx:0 (GPU-"));
  CHECK(many.status == 2);
  const Outcome shared = started(open_mpi, 2, "ptx:1", folder / "r.json");
  check_line(shared, "rank 0 of 2", "join", "two ranks on one GPU: rank 0 and rank 1 on ");
  CHECK_THAT(shared.err, Contains("both have ptx:1 (GPU-"));
  CHECK(shared.status == 2);
  const Outcome none = started(open_mpi, 2, "ptx:7", folder / "r.json");
  CHECK(none.status == 4);
  CHECK_THAT(none.err, Contains("there is no device ptx:7"));
}

// As torchrun starts them: nothing but variables, and no MPI anywhere.
TEST_CASE("ranks that only torchrun's variables start meet, agree who has which GPU, and refuse the same") {
  if (invoke({"allreduce", "--device", "ptx", "--ranks", "2", "--size", "64", "--quiet"}).status != 0)
    ridge::test::skip("needs a build with NCCL's header");
  int port = 20000 + static_cast<int>(::getpid() % 20000);
  const auto both = [&](const std::string& device, const std::string& report, const std::string& second_size) {
    std::array<Outcome, 2> outcomes;
    port += 2;
    std::array<std::thread, 2> ranks;
    for (int r = 0; r < 2; ++r)
      ranks[static_cast<std::size_t>(r)] = std::thread([&, r] {
        Start how = start();
        how.environment["WORLD_SIZE"] = "2";
        how.environment["RANK"] = how.environment["LOCAL_RANK"] = std::to_string(r);
        how.environment["MASTER_ADDR"] = "127.0.0.1";
        how.environment["MASTER_PORT"] = std::to_string(port);
        outcomes[static_cast<std::size_t>(r)] =
            ridge::test::run(joined(joined({RIDGE_BINARY}, brief("allreduce", report)),
                                    {"--size", r == 0 ? "64" : second_size, "--device", device}),
                             how);
      });
    for (std::thread& rank : ranks) rank.join();
    return outcomes;
  };
  const Folder folder;
  const auto agreed = both("ptx", folder / "r.json", "64");
  INFO(agreed[0].err << agreed[1].err);
  CHECK(agreed[0].status == 5);
  CHECK(agreed[1].status == 0);
  const json report = read(folder / "r.json");
  REQUIRE(report["ranks"].size() == 2);
  CHECK(report["ranks"][0]["gpu"] != report["ranks"][1]["gpu"]);
  CHECK_THAT(report["machine"]["software"]["libraries"]["mpi"].get<std::string>(), Contains("TCP"));
  const auto shared = both("ptx:0", folder / "r.json", "64");
  CHECK(shared[0].status == 2);
  check_line(shared[0], "rank 0 of 2", "join", "two ranks on one GPU: rank 0 and rank 1 on ");
  const auto differing = both("ptx", folder / "r.json", "128");
  CHECK(differing[0].status == 2);
  check_line(differing[0], "rank 0 of 2", "join", "was started with other arguments");
  const auto on_cpus = both("cpu", folder / "r.json", "64");
  for (const Outcome& each : on_cpus) {
    CHECK(each.status == 2);
    CHECK_THAT(each.err, Contains("on CPUs start them by mpirun"));
  }
}

TEST_CASE("a rank that torchrun's variables promise and that never comes ends the other in time") {
  if (invoke({"allreduce", "--device", "ptx", "--ranks", "2", "--size", "64", "--quiet"}).status != 0)
    ridge::test::skip("needs a build with NCCL's header");
  const Folder folder;
  Start how = start();
  how.environment["WORLD_SIZE"] = "2";
  how.environment["RANK"] = "0";
  how.environment["MASTER_ADDR"] = "127.0.0.1";
  how.environment["MASTER_PORT"] = std::to_string(41000 + static_cast<int>(::getpid() % 20000));
  const Outcome outcome = invoke(
      joined(brief("allreduce", folder / "r.json"), {"--size", "64", "--device", "ptx", "--timeout", "2s"}), how);
  check_line(outcome, "rank 0 of 2", "join", "no answer within 2 s");
  CHECK(outcome.status == 4);
}
