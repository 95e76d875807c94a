// Lists of nodes, the farthest one by the kernel's distances, and memory of this machine on a node it has.
#include "kernels/device/numa.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>

#include "tests/support/folder.hpp"

using namespace ridge;
using device::farthest_node;
using device::parse_id_list;

TEST_CASE("the kernel's lists of ids are read, and what is no list is empty") {
  CHECK(parse_id_list("0") == std::vector{0});
  CHECK(parse_id_list("0-2,5") == std::vector{0, 1, 2, 5});
  for (const char* text : {"", "a", "3-1", "-1", "1,,2", "1-", "0-99999999"}) {
    INFO(text);
    CHECK(parse_id_list(text).empty());
  }
}

TEST_CASE("the farthest node is the one with the largest distance that has memory") {
  const test::Folder folder;
  folder.write("has_memory", "0,2-3\n");
  folder.write("online", "0-3\n");
  folder.write("node0/distance", "10 40 20 30\n");
  folder.write("node3/distance", "30 40 20 10\n");
  CHECK(farthest_node(0, folder.text()) == 3);  // 1 is farther but has no memory
  CHECK(farthest_node(3, folder.text()) == 0);
  CHECK_FALSE(farthest_node(7, folder.text()));
  const test::Folder alone;
  alone.write("has_memory", "0\n");
  alone.write("online", "0\n");
  alone.write("node0/distance", "10\n");
  CHECK_FALSE(farthest_node(0, alone.text()));
  CHECK_FALSE(farthest_node(0, alone / "nothing"));
}

TEST_CASE("memory taken on a node lies there, and the thread may run where it did before") {
  const auto nodes = device::memory_nodes();
  if (nodes.empty()) {
    WARN("skipped: this kernel tells no memory nodes");
    return;
  }
  cpu_set_t before;
  REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
  constexpr std::size_t bytes = 1 << 22;
  for (const int node : nodes) {
    std::unique_ptr<unsigned char[]> data;
    {
      const device::OnNode here(node);
      data.reset(new unsigned char[bytes]);
      std::memset(data.get(), 1, bytes);
    }
    const auto found = device::node_of(data.get() + bytes / 2);
    if (found) CHECK(*found == node);
  }
  cpu_set_t after;
  REQUIRE(::sched_getaffinity(0, sizeof after, &after) == 0);
  CHECK(CPU_EQUAL(&before, &after));
}

TEST_CASE("on a node the thread keeps to that node's CPUs as far as it may, takes memory there, and goes back") {
  cpu_set_t before;
  REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
  int last = -1;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &before)) last = cpu;
  const test::Folder folder;
  folder.write("node1/cpulist", std::to_string(last) + "\n");
  folder.write("node2/cpulist", "1000-1023\n");
  std::vector<int> modes;
  std::vector<unsigned long> masks;
  device::NodeSystem system{folder.text(),
                            [](int* mode, unsigned long* nodes, unsigned long, const void*, unsigned long) {
                              *mode = 3;
                              nodes[0] = 7;
                              return 0L;
                            },
                            [&](int mode, const unsigned long* nodes, unsigned long) {
                              modes.push_back(mode);
                              masks.push_back(nodes[0]);
                              return 0L;
                            }};
  const auto now = [] {
    cpu_set_t set;
    REQUIRE(::sched_getaffinity(0, sizeof set, &set) == 0);
    return set;
  };
  {
    const device::OnNode there(1, system);
    const cpu_set_t set = now();
    CHECK(CPU_COUNT(&set) == 1);
    CHECK(CPU_ISSET(last, &set));
  }
  cpu_set_t after = now();
  CHECK(CPU_EQUAL(&before, &after));
  CHECK(modes == std::vector{1, 3});  // preferred, then what it was
  CHECK(masks == std::vector<unsigned long>{2, 7});
  {
    const device::OnNode elsewhere(2, system);  // none of its CPUs is allowed: the thread stays
    after = now();
    CHECK(CPU_EQUAL(&before, &after));
  }
  system.set_policy = [](int, const unsigned long*, unsigned long) { return -1L; };
  const device::OnNode refused(1, system);  // no policy, but its CPUs all the same
  const cpu_set_t set = now();
  CHECK(CPU_COUNT(&set) == 1);
}

TEST_CASE("a node that is not there changes nothing") {
  cpu_set_t before;
  REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
  for (const std::optional<int> node :
       {std::optional<int>{}, std::optional(-1), std::optional(63), std::optional(999)}) {
    const device::OnNode here(node);
    cpu_set_t now;
    REQUIRE(::sched_getaffinity(0, sizeof now, &now) == 0);
    CHECK(CPU_EQUAL(&before, &now));
  }
}
