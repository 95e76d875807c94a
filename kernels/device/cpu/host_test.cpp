// read_host over fixture folders: x86 and AArch64, with everything, with nothing, and with junk.
#include "kernels/device/cpu/host.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/folder.hpp"

using namespace ridge::device::cpu;
using ridge::test::Folder;

namespace {

Host host_in(const Folder& folder, std::optional<std::vector<int>> affinity = std::nullopt) {
  return read_host({folder.text(), std::move(affinity), true});
}

void write_cache(const Folder& folder, int cpu, int index, int level, const std::string& type, const std::string& size,
                 const std::string& shared) {
  const auto base = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index);
  folder.write(base + "/level", std::to_string(level) + "\n");
  folder.write(base + "/type", type + "\n");
  folder.write(base + "/size", size + "\n");
  folder.write(base + "/coherency_line_size", "64\n");
  folder.write(base + "/shared_cpu_list", shared + "\n");
}

void write_four_cpus(const Folder& folder) {
  for (int cpu = 0; cpu < 4; ++cpu) {
    const auto self = std::to_string(cpu);
    folder.write("/sys/devices/system/cpu/cpu" + self + "/topology/physical_package_id", cpu < 2 ? "0\n" : "1\n");
    folder.write("/sys/devices/system/cpu/cpu" + self + "/cpufreq/scaling_governor", "performance\n");
    write_cache(folder, cpu, 0, 1, "Data", "32K", self);
    write_cache(folder, cpu, 1, 1, "Instruction", "32K", self);
    write_cache(folder, cpu, 2, 2, "Unified", "1024K", self);
    write_cache(folder, cpu, 3, 3, "Unified", "32M", cpu < 2 ? "0-1" : "2-3");
  }
}

}  // namespace

TEST_CASE("an x86 machine with everything told") {
  const Folder folder;
  write_four_cpus(folder);
  folder.write(
      "/proc/cpuinfo",
      "processor\t: 0\nmodel name\t: AMD EPYC 7763 64-Core Processor\ncpu MHz\t\t: 2445.412\n"
      "flags\t\t: fpu sse2 ssse3 sse4_1 sse4_2 pclmulqdq avx avx2 fma f16c bmi2 hypervisor\n\nprocessor\t: 1\n");
  folder.write("/proc/meminfo", "MemTotal:       24683656 kB\nMemFree:  1 kB\nMemAvailable:   24311376 kB\n");
  folder.write("/proc/self/status", "Name:\tx\nCpus_allowed:\tf\nCpus_allowed_list:\t0-3\n");
  folder.write("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  folder.write("/proc/sys/kernel/hostname", "node7\n");
  folder.write("/etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
  folder.write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  folder.write("/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "0\n");
  folder.write("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "0\n");
  folder.write("/sys/devices/system/node/online", "0-1\n");
  folder.write("/sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc kvm-clock \n");

  const auto host = host_in(folder);
  CHECK(host.cpu_model == "AMD EPYC 7763 64-Core Processor");
  CHECK(host.simd == std::vector<std::string>{"avx2", "sse4", "ssse3", "sse2"});
  CHECK(host.clock_hz == Approx(2445.412e6));
  CHECK(host.hypervisor == "kvm");
  CHECK(host.sockets == 2);
  CHECK(host.numa_nodes == 2);
  CHECK(host.affinity == std::vector{0, 1, 2, 3});
  CHECK(host.usable_threads == 4);
  CHECK(host.memory_total == 24683656LL * 1024);
  CHECK(host.memory_free == 24311376LL * 1024);
  CHECK(host.memory_usable == 24311376LL * 1024);
  CHECK(host.transparent_huge_pages == "madvise");
  CHECK(host.huge_page_sizes == std::vector<std::int64_t>{2 << 20, 1 << 30});
  CHECK(host.governor == "performance");
  CHECK(host.kernel == "6.1.0-18-amd64");
  CHECK(host.os == "Debian GNU/Linux 12 (bookworm)");
  CHECK(host.hostname == "node7");

  REQUIRE(host.caches.size() == 3);
  CHECK(host.caches[0].level == 1);
  CHECK(host.caches[0].kind == "data");
  CHECK(host.caches[0].bytes == 32 * 1024);
  CHECK(host.caches[0].instances == 4);
  CHECK(host.caches[0].line == 64);
  CHECK(host.caches[2].bytes == 32 << 20);
  CHECK(host.caches[2].kind == "unified");
  CHECK(host.caches[2].instances == 2);
}

TEST_CASE("a machine that tells nothing: all absent, one thread") {
  const Folder folder;
  const auto host = host_in(folder);
  CHECK_FALSE(host.cpu_model);
  CHECK_FALSE(host.sockets);
  CHECK_FALSE(host.numa_nodes);
  CHECK(host.caches.empty());
  CHECK(host.affinity.empty());
  CHECK(host.usable_threads == 1);
  CHECK_FALSE(host.memory_total);
  CHECK_FALSE(host.memory_free);
  CHECK(host.memory_usable == 0);
  CHECK_FALSE(host.cgroup.version);
  CHECK_FALSE(host.governor);
  CHECK_FALSE(host.hypervisor);
  CHECK_FALSE(host.kernel);
  CHECK_FALSE(host.hostname);
  CHECK(host.simd.empty());
}

TEST_CASE("an affinity mask of one core counts only what that core touches") {
  const Folder folder;
  write_four_cpus(folder);
  const auto host = host_in(folder, std::vector{2});
  CHECK(host.usable_threads == 1);
  CHECK(host.sockets == 2);
  REQUIRE(host.caches.size() == 3);
  for (const auto& cache : host.caches) CHECK(cache.instances == 1);
}

TEST_CASE("unlike cores: caches of different sizes stay apart, governors are all named") {
  const Folder folder;
  write_cache(folder, 0, 0, 1, "Data", "48K", "0");
  write_cache(folder, 1, 0, 1, "Data", "32K", "1");
  folder.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  folder.write("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
  const auto host = host_in(folder, std::vector{0, 1});
  REQUIRE(host.caches.size() == 2);
  CHECK(host.caches[0].bytes == 32 * 1024);
  CHECK(host.caches[1].bytes == 48 * 1024);
  CHECK(host.governor == "performance, powersave");
}

TEST_CASE("memory nodes with gaps in their ids are counted, not numbered") {
  const Folder folder;
  folder.write("/sys/devices/system/node/online", "0,8,252-255\n");
  CHECK(host_in(folder).numa_nodes == 6);
}

TEST_CASE("CPU ids with gaps") {
  const Folder folder;
  for (const int cpu : {3, 17}) {
    write_cache(folder, cpu, 0, 1, "Data", "32K", std::to_string(cpu));
    folder.write("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/physical_package_id", "36\n");
  }
  folder.write("/sys/devices/system/cpu/online", "3,17\n");
  const auto host = host_in(folder);
  CHECK(host.affinity == std::vector{3, 17});
  CHECK(host.sockets == 1);
  REQUIRE(host.caches.size() == 1);
  CHECK(host.caches[0].instances == 2);
}
