// Sockets, caches and memory nodes from files and from hwloc's descriptions of machines.
#include "kernels/device/cpu/host_topology.hpp"

#include <catch2/catch.hpp>

#include "tests/support/folder.hpp"

using namespace ridge::device::cpu;
using ridge::test::Folder;

namespace {

constexpr auto two_sockets = "package:2 l3:2(size=16777216) l2:2(size=1048576) l1d:1(size=32768) core:1 pu:2";

std::vector<int> up_to(int count) {
  std::vector<int> ids;
  for (int i = 0; i < count; ++i) ids.push_back(i);
  return ids;
}

}  // namespace

TEST_CASE("hwloc: instances among all CPUs") {
  const auto topology = topology_from_hwloc(up_to(16), two_sockets);
  REQUIRE(topology);
  CHECK(topology->sockets == 2);
  REQUIRE(topology->caches.size() == 3);
  CHECK(topology->caches[0].level == 1);
  CHECK(topology->caches[0].kind == "data");
  CHECK(topology->caches[0].bytes == 32768);
  CHECK(topology->caches[0].instances == 8);
  CHECK(topology->caches[1].instances == 8);
  CHECK(topology->caches[2].level == 3);
  CHECK(topology->caches[2].kind == "unified");
  CHECK(topology->caches[2].instances == 4);
}

TEST_CASE("hwloc: only what the usable CPUs touch counts, sockets do in any case") {
  const auto topology = topology_from_hwloc({0, 1, 4}, two_sockets);
  REQUIRE(topology);
  CHECK(topology->sockets == 2);
  REQUIRE(topology->caches.size() == 3);
  CHECK(topology->caches[0].instances == 2);
  CHECK(topology->caches[2].instances == 2);
}

TEST_CASE("hwloc: a machine without caches hides them") {
  const auto topology = topology_from_hwloc(up_to(4), "package:1 core:4 pu:1");
  REQUIRE(topology);
  CHECK(topology->sockets == 1);
  CHECK(topology->caches.empty());
}

TEST_CASE("hwloc: a description that is none gives nothing") {
  CHECK_FALSE(topology_from_hwloc({0}, "nonsense:2"));
}

TEST_CASE("files: levels, types and sizes that make no sense are left out") {
  const Folder folder;
  const auto cache = [&](int index, const char* level, const char* type, const char* size, const char* shared) {
    const auto base = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    folder.write(base + "/level", level);
    folder.write(base + "/type", type);
    folder.write(base + "/size", size);
    folder.write(base + "/coherency_line_size", "-1");
    folder.write(base + "/shared_cpu_list", shared);
  };
  cache(0, "1", "Data", "32K", "junk");
  cache(1, "junk", "Data", "32K", "0");
  cache(2, "0", "Data", "32K", "0");
  cache(3, "99", "Data", "32K", "0");
  cache(4, "2", "Unified", "0K", "0");
  cache(5, "2", "Unified", "", "0");
  cache(6, "2", "Magic", "1M", "0");
  cache(7, "1", "Instruction", "32K", "0");
  const auto topology = topology_from_files(Files(folder.text()), {0});
  REQUIRE(topology.caches.size() == 1);
  CHECK(topology.caches[0].level == 1);
  CHECK(topology.caches[0].instances == 1);
  CHECK_FALSE(topology.caches[0].line);
  CHECK_FALSE(topology.sockets);
}

TEST_CASE("files: a package that the firmware does not tell is no socket") {
  const Folder folder;
  folder.write("/sys/devices/system/cpu/cpu0/topology/physical_package_id", "-1\n");
  CHECK_FALSE(topology_from_files(Files(folder.text()), {0}).sockets);
  folder.write("/sys/devices/system/cpu/cpu1/topology/physical_package_id", "0\n");
  CHECK(topology_from_files(Files(folder.text()), {0}).sockets == 1);
}

TEST_CASE("memory nodes: none, gaps, junk") {
  const Folder folder;
  const Files files(folder.text());
  CHECK_FALSE(count_numa_nodes(files));
  folder.write("/sys/devices/system/node/node0/cpulist", "0\n");
  folder.write("/sys/devices/system/node/node8/cpulist", "1\n");
  CHECK(count_numa_nodes(files) == 2);
  folder.write("/sys/devices/system/node/online", "0,8,17\n");
  CHECK(count_numa_nodes(files) == 3);
  folder.write("/sys/devices/system/node/online", "junk\n");
  CHECK(count_numa_nodes(files) == 2);
}

TEST_CASE("a device's memory node: -1 is none") {
  const Folder folder;
  const Files files(folder.text());
  constexpr auto device = "/sys/bus/pci/devices/0000:01:00.0";
  CHECK_FALSE(numa_node_of(files, device));
  for (const char* none : {"-1\n", "", "junk", "99999999\n"}) {
    folder.write(std::string(device) + "/numa_node", none);
    CHECK_FALSE(numa_node_of(files, device));
  }
  folder.write(std::string(device) + "/numa_node", "8\n");
  CHECK(numa_node_of(files, device) == 8);
}
