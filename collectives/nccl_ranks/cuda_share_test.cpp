// GPUs of several ranks with one NCCL world between them, each rank by itself: threads on reference GPUs stand for
// processes, and what ranks speak by is a table over shared memory.
#include <array>
#include <barrier>
#include <catch2/catch.hpp>
#include <cstring>
#include <thread>

#include "collectives/nccl_ranks/cuda_share.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/ptx/driver/reference.hpp"
#include "kernels/ptx/nccl/stand_in.hpp"

using namespace ridge;
using namespace ridge::collectives;
using Catch::Contains;

namespace {

// Two ranks that share an address space.
struct Meeting {
  std::barrier<> barrier{2};
  std::array<char, 1024> word{};
};
Meeting& meeting() {
  static Meeting one;
  return one;
}
thread_local int my_rank = 0;

const RidgeMpi& by_memory() {
  static RidgeMpi table = [] {
    RidgeMpi made{};
    made.barrier = []() -> const char* {
      meeting().barrier.arrive_and_wait();
      return nullptr;
    };
    made.broadcast = [](void* data, std::int64_t count, std::int32_t) -> const char* {
      const auto bytes = static_cast<std::size_t>(2 * count);
      if (my_rank == 0) std::memcpy(meeting().word.data(), data, bytes);
      meeting().barrier.arrive_and_wait();
      std::memcpy(data, meeting().word.data(), bytes);
      meeting().barrier.arrive_and_wait();
      return nullptr;
    };
    return made;
  }();
  return table;
}

struct Machine {
  Machine() : reference({.gpus = 2, .memory_bytes = 64 << 20, .multiprocessors = 1}) {
    driver = reference.driver();
    driver->cuInit(0);
    devices = std::make_unique<device::cuda::Devices>(driver, device::Kind::ptx,
                                                      [](const char*) -> const char* { return nullptr; });
    stand_in = std::make_unique<ptx::Nccl>(*driver);
    for (int rank = 0; rank < 2; ++rank) devices->open(rank).stream();
  }
  // Each rank by its own thread; what it throws is its text.
  template <class Body>
  std::array<std::string, 2> on_both(const Body& body) {
    std::array<std::string, 2> errors;
    std::array<std::thread, 2> threads;
    for (int rank = 0; rank < 2; ++rank)
      threads[static_cast<std::size_t>(rank)] = std::thread([&, rank] {
        my_rank = rank;
        try {
          const auto make = shares_on_gpu(devices->open(rank), stand_in->table(), by_memory(), rank, 2);
          body(rank, make);
        } catch (const std::exception& error) {
          errors[static_cast<std::size_t>(rank)] = error.what();
        }
      });
    for (std::thread& thread : threads) thread.join();
    return errors;
  }
  ptx::Reference reference;
  std::shared_ptr<const device::cuda::Driver> driver;
  std::unique_ptr<device::cuda::Devices> devices;
  std::unique_ptr<ptx::Nccl> stand_in;
};

Job job_of(Collective collective, std::int64_t blocks, reduce::Type type = reduce::Type::f32, bool in_place = false) {
  Job job;
  job.collective = collective;
  job.algorithm = by_library;
  job.ranks = 2;
  job.rule = {reduce::Op::sum, type};
  job.in_place = in_place;
  job.count = blocks * 2;
  job.seed = 7;
  return job;
}

}  // namespace

TEST_CASE("every operation between GPUs of two ranks, one rank at a time, is right on every element of both") {
  Machine machine;
  std::array<std::int64_t, 2> checked{};
  std::array<std::int64_t, 2> wrong{};
  const auto errors = machine.on_both([&](int rank, const mpi::MakeShare& make) {
    for (const Collective collective :
         {Collective::allreduce, Collective::allgather, Collective::reducescatter, Collective::broadcast,
          Collective::reduce, Collective::alltoall, Collective::sendrecv})
      for (const auto type : {reduce::Type::f32, reduce::Type::bf16})
        for (const std::int64_t blocks : {1, 1001}) {
          const auto share = make(job_of(collective, blocks, type));
          const auto reply = share->verify();
          share->run(3);
          CHECK(share->pass(4).size() == 4);
          wrong[static_cast<std::size_t>(rank)] += reply.wrong + share->verify().wrong;
          checked[static_cast<std::size_t>(rank)] += reply.checked;
        }
  });
  CHECK(errors == std::array<std::string, 2>{});
  CHECK(wrong == std::array<std::int64_t, 2>{0, 0});
  CHECK(checked[0] > checked[1]);  // the root of a reduction has a result
  CHECK(machine.stand_in->calls()["ncclCommInitRank"] == 2);
  CHECK(machine.stand_in->left().empty());
}

TEST_CASE("a library that leaves out an element of one rank is found out on that rank") {
  Machine machine;
  std::array<std::int64_t, 2> wrong{};
  const auto right = machine.stand_in->table();
  const auto broken = std::make_shared<nccl::Table>(*right);
  broken->AllReduce = [right](const void* in, void* out, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
                              ncclComm_t comm, cudaStream_t stream) {
    return right->AllReduce(in, out, count - 1, type, op, comm, stream);
  };
  std::array<std::thread, 2> threads;
  for (int rank = 0; rank < 2; ++rank)
    threads[static_cast<std::size_t>(rank)] = std::thread([&, rank] {
      my_rank = rank;
      const auto make = shares_on_gpu(machine.devices->open(rank), broken, by_memory(), rank, 2);
      wrong[static_cast<std::size_t>(rank)] = make(job_of(Collective::allreduce, 50))->verify().wrong;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::array<std::int64_t, 2>{1, 1});
}

TEST_CASE("an id that rank 0 cannot get is every rank's error, and a failing call is its own") {
  {
    Machine machine;
    machine.stand_in->fail("ncclGetUniqueId", 1, ncclSystemError);
    for (const std::string& error :
         machine.on_both([](int, const mpi::MakeShare& make) { make(job_of(Collective::allreduce, 1)); }))
      CHECK_THAT(error, Contains("ncclGetUniqueId: unhandled system error"));
  }
  Machine machine;
  machine.stand_in->fail("ncclCommInitRank", 1, ncclSystemError);
  machine.stand_in->fail("ncclCommInitRank", 2, ncclSystemError);
  const auto errors = machine.on_both([](int, const mpi::MakeShare& make) { make(job_of(Collective::allreduce, 1)); });
  CHECK_THAT(errors[1], Contains("ncclCommInitRank of rank 1 of 2 on ptx:1: unhandled system error"));
}

TEST_CASE("a barrier is what NCCL has not") {
  Machine machine;
  for (const std::string& error :
       machine.on_both([](int, const mpi::MakeShare& make) { make(job_of(Collective::barrier, 0)); }))
    CHECK(error == "NCCL has no barrier");
}
