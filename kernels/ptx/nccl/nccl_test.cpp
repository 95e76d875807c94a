// NCCL's calls as Ridge makes them, on reference GPUs: every operation exact on every rank, in the turn of the streams,
// and every error with its call, rank and device.
#include <catch2/catch.hpp>

#include "kernels/device/cuda/device.hpp"
#include "kernels/nccl/world.hpp"
#include "kernels/ptx/driver/reference.hpp"
#include "kernels/ptx/nccl/stand_in.hpp"

using namespace ridge;
using Catch::Contains;
using nccl::Arrays;
using nccl::Operation;
using nccl::Task;

namespace {

struct Machine {
  explicit Machine(int gpus) : reference({.gpus = gpus, .memory_bytes = 16 << 20, .multiprocessors = 1}) {
    driver = reference.driver();
    driver->cuInit(0);
    devices = std::make_unique<device::cuda::Devices>(driver, device::Kind::ptx,
                                                      [](const char*) -> const char* { return nullptr; });
    stand_in = std::make_unique<ptx::Nccl>(*driver);
    for (int i = 0; i < gpus; ++i) streams.push_back(&devices->open(i).stream());
  }
  std::unique_ptr<nccl::World> world() { return std::make_unique<nccl::World>(stand_in->table(), streams); }
  ptx::Reference reference;
  std::shared_ptr<const device::cuda::Driver> driver;
  std::unique_ptr<device::cuda::Devices> devices;
  std::unique_ptr<ptx::Nccl> stand_in;
  std::vector<device::cuda::Stream*> streams;
};

float brought(int rank, std::size_t i) {
  return static_cast<float>((rank + 1) * 3 + static_cast<int>(i % 7));
}

// What rank `rank` of n must hold at i; -1: not written.
float expected(const Task& task, int n, int rank, std::size_t i) {
  const auto count = static_cast<std::size_t>(task.count), block = count / static_cast<std::size_t>(n);
  const auto sum = [&](std::size_t at) {
    float all = 0;
    for (int r = 0; r < n; ++r) all += brought(r, at);
    return all;
  };
  switch (task.operation) {
    case Operation::allreduce:
      return sum(i);
    case Operation::reduce:
      return rank == 0 ? sum(i) : -1;
    case Operation::broadcast:
      return brought(0, i);
    case Operation::allgather:
      return i < block * static_cast<std::size_t>(n) ? brought(static_cast<int>(i / block), i % block) : -1;
    case Operation::reducescatter:
      return i < block ? sum(static_cast<std::size_t>(rank) * block + i) : -1;
    case Operation::alltoall:
      return brought(static_cast<int>(i / block), static_cast<std::size_t>(rank) * block + i % block);
    case Operation::sendrecv:
      return brought((rank + n - 1) % n, i);
  }
  return -1;
}

constexpr Operation operations[] = {Operation::allreduce, Operation::reduce,        Operation::broadcast,
                                    Operation::allgather, Operation::reducescatter, Operation::alltoall,
                                    Operation::sendrecv};

}  // namespace

TEST_CASE("every operation gives every rank exactly what it should, and leaves the rest alone") {
  for (const int n : {1, 2, 3})
    for (const Operation operation : operations)
      for (const std::int64_t blocks : {1, 5, 1001}) {
        const Task task{operation, {}, blocks * n};
        CAPTURE(n, static_cast<int>(operation), task.count);
        Machine machine(n);
        const auto world = machine.world();
        const auto count = static_cast<std::size_t>(task.count), bytes = count * sizeof(float);
        std::vector<std::unique_ptr<device::Arena>> arenas;
        std::vector<Arrays> arrays;
        std::vector<std::vector<float>> in, out;
        for (int rank = 0; rank < n; ++rank) {
          arenas.push_back(machine.devices->open(rank).make_arena(1 << 20));
          arrays.push_back({arenas.back()->borrow(static_cast<std::int64_t>(bytes)).data,
                            arenas.back()->borrow(static_cast<std::int64_t>(bytes)).data});
          in.emplace_back(count);
          out.emplace_back(count, -1.F);
          for (std::size_t i = 0; i < count; ++i) in.back()[i] = brought(rank, i);
        }
        // All of it queued before any of it runs: the group must wait for the copies before it on every stream.
        for (std::size_t r = 0; r < arrays.size(); ++r) {
          machine.streams[r]->copy_to_device(const_cast<void*>(arrays[r].in), in[r].data(), static_cast<int>(bytes));
          machine.streams[r]->copy_to_device(arrays[r].out, out[r].data(), static_cast<int>(bytes));
        }
        world->queue(task, arrays);
        for (std::size_t r = arrays.size(); r-- > 0;) {
          machine.streams[r]->copy_to_host(out[r].data(), arrays[r].out, static_cast<int>(bytes));
          machine.streams[r]->copy_to_host(in[r].data(), arrays[r].in, static_cast<int>(bytes));
          machine.streams[r]->synchronize();
        }
        world->check();
        for (int rank = 0; rank < n; ++rank)
          for (std::size_t i = 0; i < count; ++i) {
            const auto r = static_cast<std::size_t>(rank);
            if (out[r][i] != expected(task, n, rank, i)) FAIL("rank " << rank << " has " << out[r][i] << " at " << i);
            if (in[r][i] != brought(rank, i)) FAIL("the input of rank " << rank << " changed at " << i);
          }
      }
}

TEST_CASE("whichever call fails, the error names it, the rank and the device, and the communicators are aborted") {
  struct Failing {
    const char* call;
    Operation operation;
    const char* text;
  };
  for (const Failing& each : {Failing{"ncclAllReduce", Operation::allreduce, "ncclAllReduce of rank 1 on ptx:1"},
                              {"ncclReduce", Operation::reduce, "ncclReduce of rank 1 on ptx:1"},
                              {"ncclBroadcast", Operation::broadcast, "ncclBroadcast of rank 1 on ptx:1"},
                              {"ncclAllGather", Operation::allgather, "ncclAllGather of rank 1 on ptx:1"},
                              {"ncclReduceScatter", Operation::reducescatter, "ncclReduceScatter of rank 1 on ptx:1"},
                              {"ncclSend", Operation::sendrecv, "ncclSend of rank 1 on ptx:1"},
                              {"ncclRecv", Operation::sendrecv, "ncclRecv of rank 1 on ptx:1"}}) {
    Machine machine(2);
    {
      const auto world = machine.world();
      machine.stand_in->fail(each.call, 2, ncclSystemError);
      const std::vector<Arrays> arrays(2);
      CHECK_THROWS_WITH(world->queue({each.operation, {}, 2}, arrays),
                        Contains(each.text) && Contains("unhandled system error (2)") && Contains("told to fail"));
      CHECK(machine.stand_in->calls()["ncclGroupEnd"] == 1);
    }
    CHECK(machine.stand_in->calls()["ncclCommAbort"] == 2);
    CHECK(machine.stand_in->left().empty());
  }
  for (const std::string call : {"ncclGroupStart", "ncclGroupEnd", "ncclCommGetAsyncError"}) {
    Machine machine(2);
    const auto world = machine.world();
    machine.stand_in->fail(call, 1, ncclInternalError);
    const std::vector<Arrays> arrays(2);
    CHECK_THROWS_WITH(
        [&] {
          world->queue({Operation::allreduce, {}, 0}, arrays);
          world->check();
        }(),
        Contains(call) && Contains("internal error (3)"));
  }
  Machine machine(2);
  machine.stand_in->fail("ncclCommInitAll", 1, ncclUnhandledCudaError);
  CHECK_THROWS_WITH(machine.world(), Contains("ncclCommInitAll on ptx:0, ptx:1: unhandled cuda error (1)"));
  CHECK(machine.stand_in->left().empty());
}

TEST_CASE("an error that a communicator met on its own is found when it is asked") {
  Machine machine(2);
  const auto world = machine.world();
  world->check();
  machine.stand_in->meet(ncclRemoteError);
  CHECK_THROWS_WITH(world->check(), Contains("the communicator of rank 0 on ptx:0: remote process exited"));
}

TEST_CASE("a world that is given back leaves nothing, and two ranks on one GPU are refused") {
  Machine machine(3);
  machine.world();
  CHECK(machine.stand_in->left().empty());
  CHECK(machine.stand_in->calls()["ncclCommDestroy"] == 3);
  const std::vector<device::cuda::Stream*> twice{machine.streams[0], machine.streams[0]};
  CHECK_THROWS_WITH(nccl::World(machine.stand_in->table(), twice), Contains("two ranks on device 0"));
}

TEST_CASE("a rank that does not call, or calls something else, is said where NCCL would wait for ever") {
  Machine machine(2);
  const auto table = machine.stand_in->table();
  ncclComm_t ranks[2];
  REQUIRE(table->CommInitAll(ranks, 2, nullptr) == ncclSuccess);
  const auto arena = machine.devices->open(0).make_arena(1 << 20);
  float* const data = arena->borrow(8).as<float>();
  const auto calls = [&](auto first, auto second) {
    CHECK(table->GroupStart() == ncclSuccess);
    first();
    second();
    return table->GroupEnd();
  };
  const auto reduce = [&](int rank, std::size_t count) {
    return [&, rank, count] {
      CHECK(table->AllReduce(data, data, count, ncclFloat32, ncclSum, ranks[rank], nullptr) == ncclSuccess);
    };
  };
  const auto gather = [&] { CHECK(table->AllGather(data, data, 1, ncclFloat32, ranks[1], nullptr) == ncclSuccess); };
  const auto send = [&] { CHECK(table->Send(data, 1, ncclFloat32, 1, ranks[0], nullptr) == ncclSuccess); };
  const auto nothing = [] {};
  CHECK(calls(reduce(0, 1), nothing) == ncclInvalidUsage);
  CHECK(std::string(table->GetLastError(nullptr)) == "rank 1 never calls: a hang");
  CHECK(calls(nothing, reduce(1, 1)) == ncclInvalidUsage);
  CHECK(std::string(table->GetLastError(nullptr)) == "rank 0 never calls: a hang");
  CHECK(calls(reduce(0, 1), reduce(1, 2)) == ncclInvalidUsage);
  CHECK(std::string(table->GetLastError(nullptr)) == "rank 1 has another count than rank 0");
  CHECK(calls(reduce(0, 1), gather) == ncclInvalidUsage);
  CHECK(std::string(table->GetLastError(nullptr)) == "rank 1 calls ncclAllGather where rank 0 calls ncclAllReduce");
  CHECK(calls(send, nothing) == ncclInvalidUsage);
  CHECK(std::string(table->GetLastError(nullptr)) == "rank 1 does not receive what rank 0 sends: a hang");
  // Without a group each call stands alone.
  CHECK(table->AllReduce(data, data, 1, ncclFloat32, ncclSum, ranks[0], nullptr) == ncclInvalidUsage);
  CHECK(table->GroupEnd() == ncclInvalidUsage);
  CHECK(table->AllReduce(data, data, 1, ncclInt8, ncclSum, ranks[0], nullptr) == ncclInvalidArgument);
  CHECK(table->AllReduce(data, data, 1, ncclFloat32, ncclAvg, ranks[0], nullptr) == ncclInvalidArgument);
  for (ncclComm_t const rank : ranks) CHECK(table->CommDestroy(rank) == ncclSuccess);
  CHECK(table->CommDestroy(ranks[0]) == ncclInvalidArgument);
}

TEST_CASE("the library is opened by its versioned name, and what is missing is said") {
  device::LibraryOpener opener;
  opener.open = [](const char*) { return device::LibraryOpener::Opened{nullptr, "x: No such file or directory"}; };
  CHECK_THROWS_WITH(nccl::load(opener), Contains("libnccl.so.2 not found (NVIDIA's package libnccl2"));
  opener.open = [](const char*) { return device::LibraryOpener::Opened{nullptr, "wrong ELF class"}; };
  CHECK_THROWS_WITH(nccl::load(opener), "libnccl.so.2 cannot be opened: wrong ELF class");
  int there = 0;
  opener.open = [&](const char*) { return device::LibraryOpener::Opened{&there, ""}; };
  opener.symbol = [](void*, const char* symbol) -> void* {
    return std::string(symbol) == "ncclGetLastError" ? nullptr : reinterpret_cast<void*>(+[] {});
  };
  CHECK_THROWS_WITH(nccl::load(opener), "libnccl.so.2 has no ncclGetLastError: NCCL 2.13 or newer has");
  CHECK(nccl::version_text(22809) == "2.28.9");
  CHECK(nccl::version_text(2708) == "2.7.8");
}

TEST_CASE("the real library, where it is installed, has every function that is called") {
  std::shared_ptr<const nccl::Table> table;
  try {
    table = nccl::load(device::system_opener());
  } catch (const device::Absent& absent) {
    CHECK_THAT(absent.what(), Contains("libnccl.so.2"));
    return;
  }
  CHECK_THAT(table->source, Contains("NCCL 2."));
  CHECK(std::string(table->GetErrorString(ncclInvalidUsage)).find("invalid usage") != std::string::npos);
}
