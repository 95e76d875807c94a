// What launchers tell, how an MPI is opened, what makes ranks differ, and a thread that is given up: without any MPI.
#include <malloc.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>

#include "collectives/mpi/communicator.hpp"
#include "collectives/mpi/launcher.hpp"
#include "collectives/mpi/library.hpp"
#include "collectives/mpi/member.hpp"
#include "collectives/mpi/worker.hpp"
#include "kernels/device/device.hpp"

using namespace ridge;
using namespace ridge::collectives;
using namespace ridge::collectives::mpi;
using Catch::Contains;

namespace {

std::optional<Launch> launched(const std::map<std::string, std::string>& variables) {
  return launch_of([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

const RidgeMpi* table_of_version(std::int32_t version) {
  static RidgeMpi table{};
  table.version = version;
  table.library = [] { return "Some MPI\tVersion: 7\nand more"; };
  return &table;
}
const RidgeMpi* current_table() {
  return table_of_version(ridge_mpi_version);
}
const RidgeMpi* other_table() {
  return table_of_version(ridge_mpi_version + 1);
}

// A system that has these files and nothing else; what was opened is in `opened`.
struct System {
  std::vector<std::string> files;
  const RidgeMpi* (*entry)() = current_table;
  std::vector<std::string> opened = {};
  Opener opener() {
    return {[this](const std::string& name, bool, std::string& error) -> void* {
              for (std::string& file : files)
                if (file == name) {
                  opened.push_back(name);
                  return &file;
                }
              error = name + ": No such file";
              return nullptr;
            },
            [this](void*, const char*) { return reinterpret_cast<void*>(entry); }};
  }
};

Hello hello(int rank) {
  Hello made;
  std::strcpy(made.version, "1.0 (abc)");
  std::strcpy(made.host, rank < 2 ? "node-1" : "node-2");
  made.asked = 5;
  made.rank = rank;
  return made;
}

const auto never = [](double) -> std::optional<std::string> { return std::nullopt; };

}  // namespace

TEST_CASE("launchers are known by what they set, and nothing else is one") {
  CHECK_FALSE(launched({}));
  CHECK_FALSE(launched({{"OMPI_COMM_WORLD_SIZE", "2"}}));
  CHECK_FALSE(launched({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "2"}}));
  CHECK_FALSE(launched({{"PMI_SIZE", "two"}, {"PMI_RANK", "0"}}));
  CHECK_FALSE(launched({{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}}));  // a batch script by itself
  const auto open_mpi_2 = launched({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "1"}});
  REQUIRE(open_mpi_2);
  CHECK(open_mpi_2->size == 2);
  CHECK(open_mpi_2->rank == 1);
  CHECK(launched({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}})->told_by == "PMI_SIZE");
  CHECK(launched({{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "7"}})->rank == 7);
}

TEST_CASE("the launcher's MPI is opened first, its library before its module") {
  System both{{"libmpi.so.40", "libmpich.so.12", "/bin/ridge-mpi-openmpi.so", "/bin/../lib/ridge/ridge-mpi-mpich.so"}};
  const Opened opened = open_mpi(both.opener(), "/bin", "OMPI_COMM_WORLD_SIZE", "");
  CHECK(opened.api->version == ridge_mpi_version);
  CHECK(opened.version == "Some MPI Version: 7");
  CHECK(both.opened == std::vector<std::string>{"libmpi.so.40", "/bin/ridge-mpi-openmpi.so"});
  both.opened.clear();
  open_mpi(both.opener(), "/bin", "PMI_SIZE", "");
  CHECK(both.opened == std::vector<std::string>{"libmpich.so.12", "/bin/../lib/ridge/ridge-mpi-mpich.so"});
  both.opened.clear();
  open_mpi(both.opener(), "/bin", "PMI_SIZE", "openmpi");
  CHECK(both.opened.front() == "libmpi.so.40");

  System intel{{"libmpi.so.12", "/bin/ridge-mpi-mpich.so"}};
  open_mpi(intel.opener(), "/bin", "OMPI_COMM_WORLD_SIZE", "");
  CHECK(intel.opened.front() == "libmpi.so.12");
}

TEST_CASE("an MPI that is not there, or not for this build, is a reason") {
  System none{{}};
  CHECK_THROWS_WITH(open_mpi(none.opener(), "/bin", "", ""),
                    "no MPI: libmpi.so.40 not found, libmpich.so.12 or libmpi.so.12 not found");
  CHECK_THROWS_AS(open_mpi(none.opener(), "/bin", "", ""), device::Absent);
  CHECK_THROWS_WITH(open_mpi(none.opener(), "/bin", "", "mpich"), "no MPI: libmpich.so.12 or libmpi.so.12 not found");
  CHECK_THROWS_AS(open_mpi(none.opener(), "/bin", "", "lam"), std::invalid_argument);
  System no_module{{"libmpi.so.40"}};
  CHECK_THROWS_WITH(open_mpi(no_module.opener(), "/bin", "", ""),
                    Contains("openmpi is here, but not this build's module") && Contains("No such file"));
  System old{{"libmpi.so.40", "/bin/ridge-mpi-openmpi.so"}, other_table};
  CHECK_THROWS_WITH(open_mpi(old.opener(), "/bin", "", ""), Contains("of another build"));
}

TEST_CASE("ranks that are not alike are named") {
  std::vector<Hello> all{hello(0), hello(1), hello(2)};
  CHECK(difference(all).empty());
  all[2].asked = 6;
  CHECK(difference(all) == "rank 2 on node-2 was started with other arguments than rank 0 on node-1");
  std::strcpy(all[1].version, "0.9 (def)");
  CHECK(difference(all) == "rank 1 on node-1 is Ridge 0.9 (def), rank 0 on node-1 is 1.0 (abc)");
}

TEST_CASE("GPUs of ranks: each has its own, all have the same NCCL, and none is taken twice") {
  const auto with_gpus = [](std::vector<int> gpus, std::int32_t seen) {
    std::vector<Hello> all;
    for (std::size_t r = 0; r < gpus.size(); ++r) {
      Hello made = hello(static_cast<int>(r));
      made.processes = r < 2 ? 1 : 2;
      std::strcpy(made.gpu, ("cuda:" + std::to_string(gpus[r])).c_str());
      std::strcpy(made.uuid, ("GPU-" + std::to_string(made.processes) + std::to_string(gpus[r])).c_str());
      std::strcpy(made.library, "NCCL 2.28.9");
      made.gpus = seen;
      all.push_back(made);
    }
    return all;
  };
  CHECK(difference(with_gpus({0, 1, 0, 1}, 2)).empty());
  CHECK(difference(with_gpus({0, 0}, 2)) ==
        "two ranks on one GPU: rank 0 and rank 1 on node-1 both have cuda:0 (GPU-10)");
  CHECK(difference(with_gpus({0, 0}, 1)) ==
        "more ranks than GPUs: 2 ranks on node-1, which has 1: rank 0 and rank 1 would share cuda:0 (GPU-10)");
  CHECK_THAT(difference(with_gpus({0, 1, 0, 1, 0}, 2)), Contains("3 ranks on node-2, which has 2: rank 2 and rank 4"));
  // Containers that hide each other's processes may share a GPU all the same.
  auto hidden = with_gpus({0, 0}, 4);
  hidden[1].processes = 9;
  CHECK_THAT(difference(hidden), Contains("two ranks on one GPU: rank 0 and rank 1"));
  auto other = with_gpus({0, 1}, 2);
  std::strcpy(other[1].library, "NCCL 2.20.3");
  CHECK(difference(other) == "rank 1 on node-1 has NCCL 2.20.3, rank 0 on node-1 has NCCL 2.28.9");
  other = with_gpus({0, 1}, 2);
  other[1].gpu[0] = 0;
  CHECK(difference(other) == "rank 1 on node-1 has no GPU, rank 0 on node-1 has cuda:0");
  CHECK(launched({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}})
            ->local_rank == 1);
  CHECK(launched({{"PMI_SIZE", "4"}, {"PMI_RANK", "3"}})->local_rank == 3);
  std::map<std::string, std::string> torch{
      {"WORLD_SIZE", "4"}, {"RANK", "3"}, {"LOCAL_RANK", "1"}, {"MASTER_ADDR", "node-1"}, {"MASTER_PORT", "29500"}};
  REQUIRE(launched(torch));
  CHECK(launched(torch)->rank == 3);
  CHECK(launched(torch)->local_rank == 1);
  CHECK(launched(torch)->address == "node-1");
  CHECK(launched(torch)->port == 29500);
  for (const char* missing : {"WORLD_SIZE", "RANK", "MASTER_ADDR", "MASTER_PORT"}) {
    auto less = torch;
    less.erase(missing);
    CHECK_FALSE(launched(less));
  }
  torch["WORLD_SIZE"] = "1";
  torch["RANK"] = "0";
  CHECK_FALSE(launched(torch));  // is set in many a container, and no job
}

TEST_CASE("counts that 32 bits do not hold reach the module whole, which refuses what MPI cannot take") {
  static std::int64_t sent = 0;
  static std::int64_t joined = 0;
  RidgeMpi table{};
  table.exchange = [](std::int32_t, const void*, std::int64_t count, std::int32_t, void*, std::int64_t received,
                      std::int32_t) -> const char* {
    sent = count + received;
    return nullptr;
  };
  table.all_reduce = [](const void*, void*, std::int64_t count, std::int32_t, std::int32_t) -> const char* {
    joined = count;
    return count > 0x7FFFFFFF ? "more than 2^31 - 1 elements in one MPI call" : nullptr;
  };
  Processes ranks(table, 0, 2);
  constexpr std::int64_t many = (std::int64_t{1} << 32) + 3;
  ranks.exchange({}, 1, {nullptr, many}, 1, {nullptr, many});
  CHECK(sent == 2 * many);
  Arrays arrays;
  arrays.count = many;
  CHECK_THROWS_WITH(ranks.by_library(Collective::allreduce, arrays),
                    "MPI_Allreduce: more than 2^31 - 1 elements in one MPI call");
  CHECK(joined == many);
}

TEST_CASE("what a library lacks is said before it is asked") {
  CHECK(library_lacks(Collective::allreduce, reduce::Type::f32, true) == nullptr);
  CHECK_THAT(library_lacks(Collective::allreduce, reduce::Type::bf16, false), Contains("16-bit"));
  CHECK(library_lacks(Collective::allgather, reduce::Type::f16, true) == nullptr);
  CHECK_THAT(library_lacks(Collective::reducescatter, reduce::Type::f32, true), Contains("in its place"));
}

TEST_CASE("the worker runs tasks in turn, hands on what they throw, and goes on") {
  Worker worker;
  int done = 0;
  CHECK_FALSE(worker.run([&] { ++done; }, never));
  CHECK_THROWS_WITH(worker.run([] { throw std::runtime_error("no"); }, never), "no");
  CHECK_FALSE(worker.run([&] { ++done; }, never));
  CHECK(done == 2);
  CHECK_FALSE(worker.given_up());
}

TEST_CASE("a task that never ends is given up with what was said") {
  struct Gate {
    std::mutex mutex;
    std::condition_variable opened;
    bool open = false;
  };
  const auto gate = std::make_shared<Gate>();
  {
    Worker worker;
    const auto said = worker.run(
        [gate] {
          std::unique_lock lock(gate->mutex);
          gate->opened.wait(lock, [&] { return gate->open; });
        },
        [](double) { return std::optional<std::string>("rank 1 is gone"); });
    CHECK(said == "rank 1 is gone");
    CHECK(worker.given_up());
  }
  const std::lock_guard lock(gate->mutex);
  gate->open = true;
  gate->opened.notify_all();  // the thread left behind may end after all
}

// A sanitizer's heap is its own.
#if defined(M_ARENA_MAX) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("temporaries beyond the size of a thread's own heap are not taken from the kernel each time anew") {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);  // what whoever measures MPI asks for
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  constexpr std::size_t bytes = std::size_t{96} << 20;
  long faults = 0;
  const auto take = [] {
    char* const temporary = static_cast<char*>(std::malloc(bytes));
    for (std::size_t i = 0; i < bytes; i += 4096) const_cast<volatile char*>(temporary)[i] = 1;
    std::free(temporary);
  };
  Worker worker;
  const auto done = worker.run(
      [&] {
        take();
        rusage before{}, after{};
        getrusage(RUSAGE_SELF, &before);
        take();
        getrusage(RUSAGE_SELF, &after);
        faults = after.ru_minflt - before.ru_minflt;
      },
      [](double) { return std::nullopt; });
  CHECK_FALSE(done);
  CHECK(faults < 20);  // 24576 pages, or 48 huge ones
}
#endif
