// read_host on this very machine: as it is, pinned to one core, under a real CPU quota and a real memory limit.
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <thread>

#include "kernels/device/cpu/host.hpp"
#include "tests/support/cgroup.hpp"
#include "tests/support/skip.hpp"

using namespace ridge::device::cpu;
using ridge::test::Cgroup;

TEST_CASE("this machine has what every Linux machine has") {
  const auto host = read_host();
  CHECK_FALSE(host.architecture.empty());
  CHECK(host.kernel);
  CHECK(host.page_size.value_or(0) >= 4096);
  REQUIRE_FALSE(host.affinity.empty());
  CHECK(host.usable_threads >= 1);
  CHECK(host.usable_threads <= static_cast<int>(host.affinity.size()));
  CHECK(host.memory_usable > 0);
  CHECK(host.memory_usable <= host.memory_total.value_or(INT64_MAX));
}

TEST_CASE("hwloc and the kernel's files agree where the files tell caches") {
  const auto hwloc = read_host();
  HostSource files_only;
  files_only.use_hwloc = false;
  const auto files = read_host(files_only);
  if (files.caches.empty()) return ridge::test::skip("this machine's files hide the caches");
  CHECK(hwloc.sockets == files.sockets);
  REQUIRE(hwloc.caches.size() == files.caches.size());
  for (std::size_t i = 0; i < files.caches.size(); ++i) {
    CHECK(hwloc.caches[i].level == files.caches[i].level);
    CHECK(hwloc.caches[i].kind == files.caches[i].kind);
    CHECK(hwloc.caches[i].bytes == files.caches[i].bytes);
    CHECK(hwloc.caches[i].instances == files.caches[i].instances);
  }
}

TEST_CASE("a thread that may use one core only is one thread with one of each private cache") {
  Host host;
  int core = -1;
  bool pinned = false;
  std::thread([&] {
    core = read_host().affinity.back();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    pinned = ::sched_setaffinity(0, sizeof one, &one) == 0;
    host = read_host();
  }).join();
  REQUIRE(pinned);
  CHECK(host.affinity == std::vector{core});
  CHECK(host.usable_threads == 1);
  for (const auto& cache : host.caches) CHECK(cache.instances == 1);
}

TEST_CASE("a real quota of half a core is one thread") {
  const Cgroup group("cpu", ridge::test::half_a_core());
  if (group.reason()) return ridge::test::skip(*group.reason());
  const auto answer = group.run([] {
    const auto host = read_host();
    return fmt::format("{} {}", host.cgroup.cpu_quota.value_or(-1), host.usable_threads);
  });
  CHECK(answer == "0.5 1");
}

TEST_CASE("a real limit of 512 MiB bounds what memory may be used") {
  const Cgroup group("memory", ridge::test::half_a_gib());
  if (group.reason()) return ridge::test::skip(*group.reason());
  const auto answer = group.run([] {
    const auto host = read_host();
    const bool bounded = host.memory_usable > 0 && host.memory_usable <= 536870912;
    return fmt::format("{} {}", host.cgroup.memory_limit.value_or(-1), bounded);
  });
  CHECK(answer == "536870912 true");
}
