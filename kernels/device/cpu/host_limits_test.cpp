// read_host under limits and with junk: threads and memory that may be used, and every file malformed at once.
#include <catch2/catch.hpp>

#include "kernels/device/cpu/host.hpp"
#include "tests/support/folder.hpp"

using namespace ridge::device::cpu;
using ridge::test::Folder;

namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;

Host four_cpus_with_quota(const std::string& cpu_max) {
  const Folder folder;
  folder.write("/proc/self/cgroup", "0::/job\n");
  folder.write("/sys/fs/cgroup/job/cpu.max", cpu_max);
  return read_host({folder.text(), std::vector{0, 1, 2, 3}, true});
}

}  // namespace

TEST_CASE("threads are the affinity or the quota rounded up, whichever is fewer, and at least one") {
  CHECK(four_cpus_with_quota("50000 100000\n").usable_threads == 1);
  CHECK(four_cpus_with_quota("1 100000\n").usable_threads == 1);
  CHECK(four_cpus_with_quota("250000 100000\n").usable_threads == 3);
  CHECK(four_cpus_with_quota("400000 100000\n").usable_threads == 4);
  CHECK(four_cpus_with_quota("99900000 100000\n").usable_threads == 4);
  CHECK(four_cpus_with_quota("9223372036854775807 1\n").usable_threads == 4);
  CHECK(four_cpus_with_quota("max 100000\n").usable_threads == 4);
}

TEST_CASE("a cpuset narrows the affinity, one that shares nothing with it is not believed") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "0::/job\n");
  folder.write("/sys/fs/cgroup/job/cpuset.cpus.effective", "2-5\n");
  CHECK(read_host({folder.text(), std::vector{0, 1, 2, 3}, true}).affinity == std::vector{2, 3});
  folder.write("/sys/fs/cgroup/job/cpuset.cpus.effective", "8\n");
  CHECK(read_host({folder.text(), std::vector{0, 1, 2, 3}, true}).affinity == std::vector{0, 1, 2, 3});
}

TEST_CASE("memory that may be used is what is free or what the limit leaves") {
  const Folder folder;
  folder.write("/proc/meminfo", "MemTotal: 2097152 kB\nMemAvailable: 1048576 kB\n");
  CHECK(read_host({folder.text()}).memory_usable == 1024 * mib);
  folder.write("/proc/self/cgroup", "4:memory:/job\n");
  folder.write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "536870912\n");
  CHECK(read_host({folder.text()}).memory_usable == 512 * mib);
  folder.write("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "134217728\n");
  CHECK(read_host({folder.text()}).memory_usable == 384 * mib);
  folder.write("/proc/meminfo", "MemTotal: 2097152 kB\nMemAvailable: 1024 kB\n");
  CHECK(read_host({folder.text()}).memory_usable == mib);
  folder.write("/proc/meminfo", "");
  CHECK(read_host({folder.text()}).memory_usable == 384 * mib);
}

TEST_CASE("junk in every file at once is a machine that tells nothing") {
  const std::string binary("\x00\xff\x1b[31m\n", 7);
  for (const auto& junk :
       {std::string(), std::string("\n"), std::string("junk"), std::string("-99999999999999999999"), binary,
        std::string(300000, '9'), std::string(300000, '\n'), std::string(100000, ':'), std::string(100000, '-')}) {
    const Folder folder;
    for (const char* file :
         {"/proc/meminfo", "/proc/self/status", "/proc/self/cgroup", "/proc/self/mountinfo", "/proc/cpuinfo",
          "/sys/devices/system/cpu/online", "/sys/devices/system/node/online",
          "/sys/devices/system/cpu/cpu0/topology/physical_package_id",
          "/sys/devices/system/cpu/cpu0/cache/index0/level", "/sys/devices/system/cpu/cpu0/cache/index0/type",
          "/sys/devices/system/cpu/cpu0/cache/index0/size", "/sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list",
          "/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes",
          "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/kernel/mm/hugepages/hugepages-xkB/nr_hugepages",
          "/sys/kernel/mm/hugepages/hugepages-0kB/nr_hugepages", "/etc/os-release"})
      folder.write(file, junk);
    const auto host = read_host({folder.text()});
    INFO(junk.substr(0, 20));
    CHECK_FALSE(host.cpu_model);
    CHECK_FALSE(host.sockets);
    CHECK_FALSE(host.numa_nodes);
    CHECK(host.caches.empty());
    CHECK(host.usable_threads == 1);
    CHECK_FALSE(host.memory_total);
    CHECK_FALSE(host.cgroup.version);
    CHECK_FALSE(host.transparent_huge_pages);
    CHECK(host.huge_page_sizes.empty());
    CHECK_FALSE(host.os);
  }
}

TEST_CASE("texts that are kept are fit for a report whatever the files hold") {
  const Folder folder;
  const std::string nasty = "a\x1b[31m\xc3\x28" + std::string(3000, 'x');
  folder.write("/proc/sys/kernel/hostname", nasty);
  folder.write("/proc/sys/kernel/osrelease", nasty);
  folder.write("/proc/cpuinfo", "model name : " + nasty + "\n");
  folder.write("/etc/os-release", "PRETTY_NAME=\"" + nasty + "\"\n");
  const auto host = read_host({folder.text()});
  for (const auto& text : {host.hostname, host.kernel, host.cpu_model, host.os}) {
    REQUIRE(text);
    CHECK(text->size() == 200);
    CHECK(text->starts_with("a?[31m?("));
  }
}

TEST_CASE("hypervisors by the clock they offer, their firmware, or only their presence") {
  const auto with = [](const char* file, const char* text, bool flagged) {
    const Folder folder;
    folder.write("/proc/cpuinfo", flagged ? "flags : sse2 hypervisor\n" : "flags : sse2\n");
    folder.write(file, text);
    return read_host({folder.text()}).hypervisor;
  };
  constexpr auto clocks = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
  constexpr auto vendor = "/sys/class/dmi/id/sys_vendor";
  CHECK(with("/sys/hypervisor/type", "xen\n", true) == "xen");
  CHECK(with(clocks, "tsc kvm-clock acpi_pm\n", true) == "kvm");
  CHECK(with(clocks, "hyperv_clocksource_tsc_page acpi_pm\n", true) == "hyperv");
  CHECK(with(clocks, "tsc hpet\n", true) == "unnamed");
  CHECK_FALSE(with(clocks, "tsc hpet\n", false));
  CHECK(with(vendor, "VMware, Inc.\n", true) == "VMware, Inc.");
  CHECK(with(vendor, "QEMU\n", false) == "QEMU");
  CHECK(with(vendor, "Google\n", true) == "Google");
  CHECK_FALSE(with(vendor, "Google\n", false));
  CHECK_FALSE(with(vendor, "Dell Inc.\n", false));
}
