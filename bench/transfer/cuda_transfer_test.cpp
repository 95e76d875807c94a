// Every transfer on reference GPUs: verified at the destination, proven to move what it states, skipped where it cannot
// be.
#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "bench/harness/made_points.hpp"
#include "bench/harness/proof.hpp"
#include "bench/transfer/definition.hpp"
#include "bench/transfer/prepare.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/device/numa.hpp"
#include "kernels/gpus/gpus.hpp"
#include "kernels/ptx/driver/reference.hpp"
#include "tests/support/folder.hpp"

using namespace ridge;
using namespace ridge::bench;
using fake::find;

namespace {

record::Point point_of(std::vector<std::pair<std::string, record::Value>> values) {
  record::Point point;
  for (auto& [axis, value] : values) point.set(axis, std::move(value));
  return point;
}

const std::pair<std::string, record::Value> near_memory{"place", std::string("near")};

struct Machine {
  explicit Machine(int gpus) : all({.reference_gpus = gpus, .reference_memory = 64 << 20}) {}
  gpus::Gpus all;

  // Prepares, verifies and proves the point on ptx:0, then with its statement off by one byte.
  void check(const Definition& d, const record::Point& point) {
    CAPTURE(d.name, point.to_text());
    const device::Name name{device::Kind::ptx, 0};
    auto& device = all.open(name);
    std::int64_t needed = 0;
    for (const std::int64_t bytes : d.buffers(point)) needed += device::borrow_cost(bytes);
    const auto arena = device.make_arena(needed);
    CudaContext context{device, *arena, 1, Fill::random};
    const auto prepared = d.prepare_cuda(context, point);
    const auto verified = prepared->verify();
    CHECK(verified.reason.empty());
    CHECK(verified.status == record::Check::passed);
    CHECK(verified.checked == d.work(point).bytes_written);
    const auto counted = all.count(name, [&] { prepared->stream().time([&] { prepared->run(1); }); });
    REQUIRE(counted);
    auto work = d.work(point);
    CHECK(prove(work, prepared->besides_work(), *counted).difference.empty());
    ++*work.bytes_written;
    CHECK_FALSE(prove(work, prepared->besides_work(), *counted).proven);
  }
};

}  // namespace

TEST_CASE("host copies arrive whole, in every direction, from both kinds of memory, on one GPU and on both") {
  Machine machine(2);
  const auto all = transfer::definitions();
  for (const std::string direction : {"to_device", "to_host", "both"})
    for (const std::string memory : {"pinned", "pageable"})
      for (const std::int64_t gpus : {1, 2})
        for (const std::int64_t size : {1, 4, 4097, 100'000})
          machine.check(
              find(all, "transfer.host"),
              point_of({{"size", size}, {"direction", direction}, {"memory", memory}, {"gpus", gpus}, near_memory}));
}

TEST_CASE("small copies are verified too") {
  Machine machine(1);
  const auto all = transfer::definitions();
  for (const std::string direction : {"to_device", "to_host"})
    machine.check(
        find(all, "transfer.latency"),
        point_of(
            {{"size", std::int64_t{4}}, {"direction", direction}, {"memory", std::string("pinned")}, near_memory}));
}

TEST_CASE("copies between GPUs arrive whole, by engine and by kernel, one way and both") {
  Machine machine(3);
  const auto all = transfer::definitions();
  for (const std::string other : {"ptx:1", "ptx:2"})
    for (const std::string by : {"engine", "kernel"})
      for (const std::string direction : {"out", "both"})
        for (const std::int64_t size : {8, 4096, 100'008})
          machine.check(find(all, "transfer.peer"),
                        point_of({{"size", size}, {"peer", other}, {"by", by}, {"direction", direction}}));
}

TEST_CASE("what needs more GPUs than there are is absent, not failed") {
  Machine machine(1);
  auto& device = machine.all.open({device::Kind::ptx, 0});
  const auto arena = device.make_arena(1 << 20);
  CudaContext context{device, *arena, 1, Fill::random};
  const auto all = transfer::definitions();
  const auto peer = point_of({{"size", std::int64_t{8}},
                              {"peer", std::string("ptx:1")},
                              {"by", std::string("engine")},
                              {"direction", std::string("out")}});
  CHECK_THROWS_AS(find(all, "transfer.peer").prepare_cuda(context, peer), device::Absent);
  CHECK_THROWS_WITH(find(all, "transfer.peer").prepare_cuda(context, peer),
                    "there is no ptx:1 beside ptx:0: the machine has 1 GPU");
  const auto host = point_of({{"size", std::int64_t{8}},
                              {"direction", std::string("both")},
                              {"memory", std::string("pinned")},
                              {"gpus", std::int64_t{2}},
                              near_memory});
  CHECK_THROWS_WITH(find(all, "transfer.host").prepare_cuda(context, host), "needs 2 GPUs; the machine has 1");
}

// The reference machine with the host's clock, in the place of a GPU.
struct Clocked {
  explicit Clocked(std::optional<int> numa_node = std::nullopt)
      : reference({.gpus = 2, .memory_bytes = 64 << 20, .numa_node = numa_node, .host_clock = true}) {
    const auto driver = reference.driver();
    driver->cuInit(0);
    devices = std::make_unique<device::cuda::Devices>(driver, device::Kind::cuda,
                                                      [](const char*) -> const char* { return nullptr; });
    device = &devices->open(0);
    arena = device->make_arena(8 << 20);
  }
  std::map<std::string, std::int64_t> parts(const std::string& name, const record::Point& point) {
    const auto all = transfer::definitions();
    CudaContext context{*device, *arena, 1, Fill::random};
    const auto prepared = find(all, name).prepare_cuda(context, point);
    CHECK(prepared->verify().status == record::Check::passed);
    const double seconds = prepared->stream().time([&] { prepared->run(3); }).seconds;
    std::map<std::string, std::int64_t> bytes;
    for (const Part& part : prepared->parts()) {
      CHECK(part.seconds > 0);
      CHECK(3 * part.seconds <= seconds);
      bytes[part.name] = part.bytes;
    }
    return bytes;
  }
  ptx::Reference reference;
  std::unique_ptr<device::cuda::Devices> devices;
  device::cuda::Device* device = nullptr;
  std::unique_ptr<device::Arena> arena;
};

TEST_CASE("what is copied at once has a time for each direction and for each GPU, and what is alone has none") {
  Clocked machine;
  const auto host = [&](const std::string& direction, std::int64_t gpus) {
    return machine.parts("transfer.host", point_of({{"size", std::int64_t{1000}},
                                                    {"direction", direction},
                                                    {"memory", std::string("pinned")},
                                                    {"gpus", gpus},
                                                    near_memory}));
  };
  using Bytes = std::map<std::string, std::int64_t>;
  CHECK(host("to_device", 1).empty());
  CHECK(host("both", 1) == Bytes{{"to_device", 1000}, {"to_host", 1000}});
  CHECK(host("to_host", 2) == Bytes{{"to_host", 2000}, {"to_host_cuda:0", 1000}, {"to_host_cuda:1", 1000}});
  CHECK(host("both", 2).size() == 6);
  const auto peer = [&](const std::string& direction) {
    return machine.parts("transfer.peer", point_of({{"size", std::int64_t{800}},
                                                    {"peer", std::string("cuda:1")},
                                                    {"by", std::string("kernel")},
                                                    {"direction", direction}}));
  };
  CHECK(peer("out").empty());
  CHECK(peer("both") == Bytes{{"out", 800}, {"back", 800}});
}

TEST_CASE("host memory is taken on the GPU's memory node, and far from it only where there is another") {
  const auto nodes = device::memory_nodes();
  const auto point = [](const std::string& place) {
    return point_of({{"size", std::int64_t{1 << 20}},
                     {"direction", std::string("both")},
                     {"memory", std::string("pinned")},
                     {"gpus", std::int64_t{1}},
                     {"place", place}});
  };
  Clocked untold;
  CHECK_NOTHROW(untold.parts("transfer.host", point("near")));
  CHECK_THROWS_WITH(untold.parts("transfer.host", point("far")), Catch::Contains("does not tell which memory node"));
  if (nodes.empty()) {
    WARN("skipped: this kernel tells no memory nodes");
    return;
  }
  Clocked machine(nodes.front());
  CHECK_NOTHROW(machine.parts("transfer.host", point("near")));
  if (nodes.size() == 1)
    CHECK_THROWS_WITH(machine.parts("transfer.host", point("far")), "the machine has one memory node");
  else
    CHECK_NOTHROW(machine.parts("transfer.host", point("far")));
}

// A machine of two memory nodes, which puts memory where the policy says, or always on node 0.
struct TwoNodes {
  explicit TwoNodes(bool obeys) {
    folder.write("has_memory", "0-1\n");
    folder.write("online", "0-1\n");
    for (const char* node : {"node0", "node1"}) folder.write(std::string(node) + "/cpulist", "0-1023\n");
    folder.write("node0/distance", "10 21\n");
    folder.write("node1/distance", "21 10\n");
    system.folder = folder.text();
    system.get_policy = [this, obeys](int* out, unsigned long*, unsigned long, const void* address, unsigned long) {
      *out = address == nullptr ? 0 : obeys ? preferred.value_or(0) : 0;
      return 0L;
    };
    system.set_policy = [this](int mode, const unsigned long* nodes, unsigned long) {
      preferred = mode == 0 ? std::nullopt : std::optional(std::countr_zero(nodes[0]));
      if (preferred) asked.insert(*preferred);
      return 0L;
    };
  }
  test::Folder folder;
  std::optional<int> preferred;
  std::set<int> asked;
  device::NodeSystem system;
};

TEST_CASE("with two memory nodes, near takes the GPU's and far the other one, and memory elsewhere is not measured") {
  const auto point = [](const std::string& place, const std::string& memory) {
    return point_of({{"size", std::int64_t{1 << 20}},
                     {"direction", std::string("both")},
                     {"memory", memory},
                     {"gpus", std::int64_t{1}},
                     {"place", place}});
  };
  for (const int gpu_node : {0, 1})
    for (const std::string memory : {"pinned", "pageable"})
      for (const std::string place : {"near", "far"}) {
        CAPTURE(gpu_node, memory, place);
        TwoNodes nodes(true);
        Clocked machine(gpu_node);
        CudaContext context{*machine.device, *machine.arena, 1, Fill::random};
        const auto prepared = transfer::prepare_host_on(context, point(place, memory), nodes.system);
        const int wanted = place == "near" ? gpu_node : 1 - gpu_node;
        CHECK(nodes.asked == std::set{wanted});
        CHECK_FALSE(nodes.preferred);  // as it was before
        nodes.asked.clear();
        CHECK(prepared->verify().status == record::Check::passed);
        CHECK(nodes.asked == std::set{wanted});  // the thread that copies is there too
        CHECK_FALSE(nodes.preferred);
      }
  TwoNodes stubborn(false);
  Clocked machine(0);
  CudaContext context{*machine.device, *machine.arena, 1, Fill::random};
  CHECK_THROWS_AS(transfer::prepare_host_on(context, point("far", "pinned"), stubborn.system), device::Absent);
  machine.arena->reset();
  CHECK_THROWS_WITH(transfer::prepare_host_on(context, point("far", "pinned"), stubborn.system),
                    "host memory was asked for on node 1 and given on node 0");
}

TEST_CASE("a kernel's copy of a size it cannot do is refused with the reason") {
  const auto all = transfer::definitions();
  auto point = point_of({{"size", std::int64_t{12}}, {"by", std::string("kernel")}});
  CHECK(find(all, "transfer.peer").unsupported(point) == "the kernel copies 8 bytes at a time");
  point.set("by", std::string("engine"));
  CHECK_FALSE(find(all, "transfer.peer").unsupported(point));
}
