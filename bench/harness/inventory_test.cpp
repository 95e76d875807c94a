// Levels, capacities and devices, on machines with and without caches, alike and unlike cores.
#include "bench/harness/inventory.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "kernels/device/cpu/host.hpp"
#include "kernels/device/driver_probe.hpp"

using namespace ridge;
using bench::Inventory;

namespace {

constexpr std::int64_t kib = 1024;
constexpr std::int64_t mib = 1024 * kib;

// 8 cores in two halves, each half with its own last level.
Inventory eight_cores() {
  return {8, {{"L1", 32 * kib, 8}, {"L2", 512 * kib, 8}, {"L3", 16 * mib, 2}}, {}};
}

}  // namespace

TEST_CASE("a level's capacity grows with the instances that the threads reach") {
  const auto inventory = eight_cores();
  CHECK(inventory.capacity("L1", 1) == 32 * kib);
  CHECK(inventory.capacity("L1", 3) == 96 * kib);
  CHECK(inventory.capacity("L1", 8) == 256 * kib);
  CHECK(inventory.capacity("L3", 1) == 16 * mib);
  CHECK(inventory.capacity("L3", 4) == 16 * mib);
  CHECK(inventory.capacity("L3", 5) == 32 * mib);
  CHECK(inventory.capacity("L3", 8) == 32 * mib);
}

TEST_CASE("more threads than usable have no more than all of a level") {
  CHECK(eight_cores().capacity("L1", 9) == 256 * kib);
  CHECK(eight_cores().capacity("L3", std::numeric_limits<int>::max()) == 32 * mib);
}

TEST_CASE("two threads on one core share its caches") {
  const Inventory inventory{4, {{"L1", 32 * kib, 2}}, {}};
  CHECK(inventory.capacity("L1", 2) == 32 * kib);
  CHECK(inventory.capacity("L1", 3) == 64 * kib);
}

TEST_CASE("an unknown level and no threads have no capacity") {
  CHECK_FALSE(eight_cores().capacity("L4", 1));
  CHECK_FALSE(eight_cores().capacity("memory", 1));
  CHECK_FALSE(eight_cores().capacity("L1", 0));
  CHECK_FALSE(eight_cores().capacity("L1", -1));
  CHECK_FALSE(Inventory{}.capacity("L1", 1));
}

TEST_CASE("the last level counts all slices, or a documented size where it is hidden") {
  CHECK(eight_cores().last_level_bytes() == 32 * mib);
  CHECK(Inventory{}.last_level_bytes() == 256 * mib);
}

TEST_CASE("a working set sits in the smallest level that holds it") {
  const auto inventory = eight_cores();
  CHECK(inventory.level_of(1, 1) == "L1");
  CHECK(inventory.level_of(32 * kib, 1) == "L1");
  CHECK(inventory.level_of(32 * kib + 1, 1) == "L2");
  CHECK(inventory.level_of(32 * kib + 1, 2) == "L1");
  CHECK(inventory.level_of(512 * kib + 1, 1) == "L3");
  CHECK(inventory.level_of(16 * mib, 1) == "L3");
}

TEST_CASE("memory begins at four times all slices of the last level, whatever the threads") {
  const auto inventory = eight_cores();
  CHECK_FALSE(inventory.level_of(16 * mib + 1, 1));
  CHECK_FALSE(inventory.level_of(128 * mib - 1, 1));
  CHECK(inventory.level_of(128 * mib, 1) == "memory");
  CHECK(inventory.level_of(128 * mib, 8) == "memory");
  CHECK(inventory.level_of(std::numeric_limits<std::int64_t>::max(), 8) == "memory");
}

TEST_CASE("with hidden caches only what is far beyond any cache has a level") {
  const Inventory hidden;
  CHECK_FALSE(hidden.level_of(4 * kib, 1));
  CHECK_FALSE(hidden.level_of(1024 * mib - 1, 1));
  CHECK(hidden.level_of(1024 * mib, 1) == "memory");
}

TEST_CASE("an empty working set sits nowhere") {
  CHECK_FALSE(eight_cores().level_of(0, 1));
  CHECK_FALSE(eight_cores().level_of(-1, 1));
}

TEST_CASE("the host's caches become levels in order, unlike instances together") {
  device::cpu::Host host;
  host.usable_threads = 6;
  host.caches = {{3, "unified", 32 * mib, 1, 64}, {1, "data", 32 * kib, 4, 64}, {1, "data", 48 * kib, 2, 64},
                 {2, "unified", mib, 6, 64},      {0, "data", kib, 1, 64},      {4, "unified", 0, 1, 64}};
  const auto inventory = bench::make_inventory(host, {});
  REQUIRE(inventory.levels.size() == 3);
  CHECK(inventory.levels[0].name == "L1");
  CHECK(inventory.levels[0].bytes == 32 * kib);
  CHECK(inventory.levels[0].instances == 6);
  CHECK(inventory.levels[0].total() == 224 * kib);
  CHECK(inventory.levels[1].name == "L2");
  CHECK(inventory.levels[2].name == "L3");
  CHECK(inventory.capacity("L1", 1) == 32 * kib);
  CHECK(inventory.capacity("L1", 6) == 224 * kib);
}

TEST_CASE("unlike slices of the last level count in full where memory begins") {
  device::cpu::Host host;
  host.caches = {{3, "unified", 32 * mib, 1, 64}, {3, "unified", 96 * mib, 1, 64}};
  CHECK(bench::make_inventory(host, {}).last_level_bytes() == 128 * mib);
}

TEST_CASE("the CPU is there with what memory may be used, the others say why they are not") {
  device::cpu::Host host;
  host.usable_threads = 0;
  host.memory_usable = 7 * mib;
  const auto inventory = bench::make_inventory(host, {{}, "libcuda.so.1 not found: no NVIDIA driver"});
  CHECK(inventory.usable_threads == 1);

  const auto* const cpu = inventory.find({device::Kind::cpu, 0});
  REQUIRE(cpu != nullptr);
  CHECK_FALSE(cpu->absent);
  CHECK(cpu->available_bytes == 7 * mib);

  const auto* const cuda = inventory.find({device::Kind::cuda, 0});
  REQUIRE(cuda != nullptr);
  CHECK(cuda->absent == "libcuda.so.1 not found: no NVIDIA driver");
  REQUIRE(inventory.find({device::Kind::ptx, 0}) != nullptr);
  CHECK(inventory.find({device::Kind::ptx, 0})->absent);

  CHECK(inventory.find({device::Kind::cuda, 1}) == nullptr);
  CHECK(inventory.find({device::Kind::cpu, 1}) == nullptr);
}

TEST_CASE("a driver without the CUDA device in this build is still absent, and the driver is named") {
  const auto inventory = bench::make_inventory({}, {"13.0", {}});
  CHECK(inventory.find({device::Kind::cuda, 0})->absent ==
        "the CUDA device is not in this build (driver for CUDA 13.0)");
}
