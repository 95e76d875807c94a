// Operations by NCCL between reference GPUs: exact on every rank, the stated work and no other, and a library that is
// wrong is found out.
#include <catch2/catch.hpp>
#include <iostream>

#include "bench/harness/proof.hpp"
#include "collectives/nccl/cuda_case.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/nccl/world.hpp"
#include "kernels/ptx/driver/reference.hpp"
#include "kernels/ptx/nccl/stand_in.hpp"

using namespace ridge;
using namespace ridge::bench;
using Catch::Contains;
using collectives::Collective;
using collectives::Job;

namespace {

struct Machine {
  explicit Machine(int gpus) : reference({.gpus = gpus, .memory_bytes = 64 << 20, .multiprocessors = 1}) {
    driver = reference.driver();
    driver->cuInit(0);
    devices = std::make_unique<device::cuda::Devices>(driver, device::Kind::ptx,
                                                      [](const char*) -> const char* { return nullptr; });
  }
  std::unique_ptr<Case> prepare(const Job& job, std::shared_ptr<const nccl::Table> table = nullptr) {
    std::int64_t needed = 0;
    for (const std::int64_t bytes : collectives::buffer_bytes(job)) needed += device::borrow_cost(bytes);
    arena = devices->open(0).make_arena(needed);
    CudaContext context{devices->open(0), *arena, 1, Fill::random};
    record::Work work;
    work.counting = "as stated";
    return collective::prepare_nccl(context, job, work, std::move(table));
  }
  ptx::Reference reference;
  std::shared_ptr<const device::cuda::Driver> driver;
  std::unique_ptr<device::cuda::Devices> devices;
  std::unique_ptr<device::Arena> arena;
};

Job job_of(Collective collective, int ranks, std::int64_t blocks, reduce::Type type = reduce::Type::f32,
           bool in_place = false) {
  Job job;
  job.collective = collective;
  job.algorithm = collectives::by_library;
  job.ranks = ranks;
  job.rule = {reduce::Op::sum, type};
  job.in_place = in_place;
  job.count = blocks * ranks;
  job.seed = 7;
  return job;
}

constexpr Collective moving[] = {Collective::allreduce, Collective::allgather, Collective::reducescatter,
                                 Collective::broadcast, Collective::reduce,    Collective::alltoall,
                                 Collective::sendrecv};

}  // namespace

TEST_CASE("NCCL's operations are exact on every rank, and stay so after being run") {
  for (const int ranks : {1, 2, 3}) {
    Machine machine(ranks);
    for (const Collective collective : moving)
      for (const auto type : {reduce::Type::f32, reduce::Type::f64, reduce::Type::i32, reduce::Type::f16,
                              reduce::Type::bf16, reduce::Type::e4m3, reduce::Type::e5m2})
        for (const bool in_place : {false, true}) {
          if (in_place && !collectives::operation_of(collective).has_place) continue;
          const Job job = job_of(collective, ranks, ranks == 2 ? 1001 : 1, type, in_place);
          CAPTURE(collectives::operation_of(collective).name, ranks, static_cast<int>(type), in_place);
          const auto prepared = machine.prepare(job);
          const auto verified = prepared->verify();
          CHECK(verified.reason.empty());
          REQUIRE(verified.status == record::Check::passed);
          CHECK(verified.checked > 0);
          prepared->run(3);
          CHECK(prepared->verify().status == record::Check::passed);
          CHECK(prepared->work()->counting == "as stated; by the stand-in for NCCL");
        }
  }
}

TEST_CASE("eight-bit types need a newer library and, to be joined, a newer GPU") {
  Machine machine(2);
  auto table = *ptx::Nccl(*machine.driver).table();
  CHECK(nccl::lacking(table, nccl::Operation::allreduce, reduce::Type::e4m3, 9).empty());
  CHECK(nccl::lacking(table, nccl::Operation::allgather, reduce::Type::e5m2, 8).empty());
  CHECK_THAT(nccl::lacking(table, nccl::Operation::reducescatter, reduce::Type::e5m2, 8), Contains("9.0"));
  CHECK(nccl::lacking(table, nccl::Operation::reduce, reduce::Type::bf16, 8).empty());
  table.GetVersion = [](int* version) {
    *version = 22304;
    return ncclSuccess;
  };
  CHECK_THROWS_WITH(
      machine.prepare(job_of(Collective::alltoall, 2, 1, reduce::Type::e4m3), std::make_shared<nccl::Table>(table)),
      "NCCL has eight-bit types from 2.24.0 on; this is 2.23.4");
}

TEST_CASE("a library that does something else is found out") {
  const auto broken = [](Machine& machine, const auto& breaking) {
    auto table = std::make_shared<nccl::Table>(*ptx::Nccl(*machine.driver).table());
    breaking(*table, table->AllReduce);
    return table;
  };
  struct Mutant {
    const char* mistake;
    std::function<ncclResult_t(const std::function<std::remove_pointer_t<decltype(&::ncclAllReduce)>>& right,
                               const void*, void*, std::size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, cudaStream_t)>
        call;
  };
  const Mutant mutants[] = {
      {"the last element left out", [](const auto& right, auto in, auto out, auto count, auto type, auto op, auto ranks,
                                       auto stream) { return right(in, out, count - 1, type, op, ranks, stream); }},
      {"an element too many", [](const auto& right, auto in, auto out, auto count, auto type, auto op, auto ranks,
                                 auto stream) { return right(in, out, count + 1, type, op, ranks, stream); }},
      {"another operation", [](const auto& right, auto in, auto out, auto count, auto type, auto, auto ranks,
                               auto stream) { return right(in, out, count, type, ncclMax, ranks, stream); }},
      {"another type", [](const auto& right, auto in, auto out, auto count, auto, auto op, auto ranks,
                          auto stream) { return right(in, out, count, ncclInt32, op, ranks, stream); }},
      {"in place where it should not be",
       [](const auto& right, auto in, auto, auto count, auto type, auto op, auto ranks, auto stream) {
         return right(in, const_cast<void*>(in), count, type, op, ranks, stream);
       }},
      {"nothing done", [](const auto&, auto, auto, auto, auto, auto, auto, auto) { return ncclSuccess; }}};
  int killed = 0;
  for (const Mutant& mutant : mutants) {
    Machine machine(2);
    const auto table = broken(machine, [&](nccl::Table& wrong, auto right) {
      wrong.AllReduce = [&mutant, right](auto... arguments) { return mutant.call(right, arguments...); };
    });
    const auto verified = machine.prepare(job_of(Collective::allreduce, 2, 50), table)->verify();
    INFO(mutant.mistake);
    CHECK(verified.status == record::Check::failed);
    CHECK_THAT(verified.reason, Contains("elements wrong or touched"));
    killed += verified.status == record::Check::failed ? 1 : 0;
    std::cout << mutant.mistake << ": " << verified.reason << '\n';
  }
  std::cout << killed << " of " << std::size(mutants) << " wrong libraries found out\n";
}

TEST_CASE("too few GPUs and no barrier are absences, and what NCCL answers is an error that names it") {
  Machine machine(2);
  CHECK_THROWS_WITH(machine.prepare(job_of(Collective::allreduce, 3, 1)), "needs 3 GPUs; the machine has 2");
  CHECK_THROWS_WITH(machine.prepare(job_of(Collective::barrier, 2, 0)), "NCCL has no barrier");
  ptx::Nccl stand_in(*machine.driver);
  const auto prepared = machine.prepare(job_of(Collective::allreduce, 2, 1), stand_in.table());
  stand_in.fail("ncclAllReduce", 2, ncclSystemError);
  CHECK_THROWS_WITH(prepared->verify(), Contains("ncclAllReduce of rank 1 on ptx:1"));
}
