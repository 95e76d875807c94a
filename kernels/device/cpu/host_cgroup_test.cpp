// Control groups of both versions: nested, shared with a container's view, without limits, and malformed.
#include "kernels/device/cpu/host_cgroup.hpp"

#include <catch2/catch.hpp>

#include "tests/support/folder.hpp"

using namespace ridge::device::cpu;
using ridge::test::Folder;
using Folders = std::vector<std::string>;

namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;
constexpr auto no_limit_v1 = "9223372036854771712\n";

CgroupFact facts_in(const Folder& folder) {
  return read_cgroup(Files(folder.text()));
}

void write_v1_mounts(const Folder& folder, const std::string& root = "/") {
  folder.write("/proc/self/mountinfo",
               "23 28 0:21 / /sys rw - sysfs sysfs rw\n"
               "33 32 0:29 " +
                   root +
                   " /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:10 - cgroup cgroup rw,cpu,cpuacct\n"
                   "35 32 0:31 " +
                   root + " /sys/fs/cgroup/memory rw shared:11 master:1 - cgroup cgroup rw,memory\n");
}

void write_v1(const Folder& folder, const std::string& path, const std::string& quota, const std::string& limit) {
  folder.write("/sys/fs/cgroup/cpu,cpuacct" + path + "/cpu.cfs_quota_us", quota);
  folder.write("/sys/fs/cgroup/cpu,cpuacct" + path + "/cpu.cfs_period_us", "100000\n");
  folder.write("/sys/fs/cgroup/memory" + path + "/memory.limit_in_bytes", limit);
}

void write_v2(const Folder& folder, const std::string& path, const std::string& cpu_max, const std::string& limit) {
  folder.write("/sys/fs/cgroup" + path + "/cpu.max", cpu_max);
  folder.write("/sys/fs/cgroup" + path + "/memory.max", limit);
}

}  // namespace

TEST_CASE("version 1: half a core and 512 MiB") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "4:memory:/jobs/one\n2:cpu,cpuacct:/jobs/one\n1:name=systemd:/init\n");
  write_v1_mounts(folder);
  write_v1(folder, "/jobs/one", "50000\n", "536870912\n");
  write_v1(folder, "/jobs", "-1\n", no_limit_v1);
  write_v1(folder, "", "-1\n", no_limit_v1);
  folder.write("/sys/fs/cgroup/memory/jobs/one/memory.usage_in_bytes", "209715200\n");
  folder.write("/sys/fs/cgroup/memory/jobs/one/memory.stat", "inactive_file 1\ntotal_inactive_file 104857600\n");
  const auto fact = facts_in(folder);
  CHECK(fact.version == "v1");
  CHECK(fact.cpu_quota == 0.5);
  CHECK(fact.memory_limit == 512 * mib);
  CHECK(fact.memory_used == 100 * mib);
  CHECK(fact.memory_left == 412 * mib);
}

TEST_CASE("version 2: half a core and 512 MiB") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "0::/user.slice/job.scope\n");
  folder.write("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  write_v2(folder, "/user.slice/job.scope", "50000 100000\n", "536870912\n");
  write_v2(folder, "/user.slice", "max 100000\n", "max\n");
  folder.write("/sys/fs/cgroup/user.slice/job.scope/memory.current", "209715200\n");
  folder.write("/sys/fs/cgroup/user.slice/job.scope/memory.stat", "anon 3\ninactive_file 104857600\n");
  const auto fact = facts_in(folder);
  CHECK(fact.version == "v2");
  CHECK(fact.cpu_quota == 0.5);
  CHECK(fact.memory_limit == 512 * mib);
  CHECK(fact.memory_used == 100 * mib);
  CHECK(fact.memory_left == 412 * mib);
}

TEST_CASE("no limits are no limits in both versions") {
  const Folder v1;
  v1.write("/proc/self/cgroup", "4:memory:/\n2:cpu,cpuacct:/\n");
  write_v1_mounts(v1);
  write_v1(v1, "", "-1\n", no_limit_v1);
  const Folder v2;
  v2.write("/proc/self/cgroup", "0::/\n");
  write_v2(v2, "", "max 100000\n", "max\n");
  for (const auto& fact : {facts_in(v1), facts_in(v2)}) {
    CHECK(fact.version);
    CHECK_FALSE(fact.cpu_quota);
    CHECK_FALSE(fact.memory_limit);
    CHECK_FALSE(fact.memory_used);
    CHECK_FALSE(fact.memory_left);
  }
}

TEST_CASE("the tightest ancestor counts, for each limit on its own") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "0::/a/b/c\n");
  write_v2(folder, "/a/b/c", "400000 100000\n", "max\n");
  write_v2(folder, "/a/b", "150000 100000\n", "2147483648\n");
  write_v2(folder, "/a", "max 100000\n", "1073741824\n");
  const auto fact = facts_in(folder);
  CHECK(fact.cpu_quota == 1.5);
  CHECK(fact.memory_limit == 1024 * mib);
}

TEST_CASE("siblings that use up a wider limit leave less than the narrower one allows") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "0::/a/b\n");
  write_v2(folder, "/a/b", "max 100000\n", "1073741824\n");
  folder.write("/sys/fs/cgroup/a/b/memory.current", "0\n");
  write_v2(folder, "/a", "max 100000\n", "2147483648\n");
  folder.write("/sys/fs/cgroup/a/memory.current", "2042626048\n");
  const auto fact = facts_in(folder);
  CHECK(fact.memory_limit == 1024 * mib);
  CHECK(fact.memory_used == 0);
  CHECK(fact.memory_left == 100 * mib);
}

TEST_CASE("a group that uses more than its limit leaves nothing, not less") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "0::/a\n");
  write_v2(folder, "/a", "max\n", "1048576\n");
  folder.write("/sys/fs/cgroup/a/memory.current", "2097152\n");
  CHECK(facts_in(folder).memory_left == 0);
}

TEST_CASE("a quota without a period has the kernel's period") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "0::/a\n");
  write_v2(folder, "/a", "250000\n", "max\n");
  CHECK(facts_in(folder).cpu_quota == 2.5);
}

TEST_CASE("in a container that mounts its own group, the path is relative to it") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "4:memory:/docker/abc\n2:cpu,cpuacct:/docker/abc/inner\n");
  write_v1_mounts(folder, "/docker/abc");
  CHECK(cgroup_path(Files(folder.text()), "memory").folders == Folders{"/sys/fs/cgroup/memory"});
  CHECK(cgroup_path(Files(folder.text()), "cpu").folders ==
        Folders{"/sys/fs/cgroup/cpu,cpuacct/inner", "/sys/fs/cgroup/cpu,cpuacct"});
}

TEST_CASE("a path outside of what is mounted falls back to the mount") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "4:memory:/docker/abcdef\n2:cpu,cpuacct:/../other\n");
  write_v1_mounts(folder, "/docker/abc");
  CHECK(cgroup_path(Files(folder.text()), "memory").folders == Folders{"/sys/fs/cgroup/memory"});
  CHECK(cgroup_path(Files(folder.text()), "cpu").folders == Folders{"/sys/fs/cgroup/cpu,cpuacct"});
  folder.write("/proc/self/mountinfo", "1 2 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  folder.write("/proc/self/cgroup", "0::/../../sibling\n");
  CHECK(cgroup_path(Files(folder.text()), "cpu").folders == Folders{"/sys/fs/cgroup"});
}

TEST_CASE("both trees mounted: a controller of version 1 is read there, others from version 2") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "4:memory:/m\n0::/u\n");
  folder.write("/proc/self/mountinfo",
               "1 2 0:1 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
               "3 2 0:2 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  folder.write("/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "1048576\n");
  folder.write("/sys/fs/cgroup/unified/u/cpu.max", "300000 200000\n");
  folder.write("/sys/fs/cgroup/unified/u/memory.max", "5\n");
  const auto fact = facts_in(folder);
  CHECK(fact.version == "v1");
  CHECK(fact.memory_limit == mib);
  CHECK(fact.cpu_quota == 1.5);
}

TEST_CASE("mount points and groups with blanks and colons in their names") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "0::/a job: one\n");
  folder.write("/proc/self/mountinfo", "1 2 0:1 / /mnt/control\\040groups rw - cgroup2 none rw\n");
  folder.write("/mnt/control groups/a job: one/cpu.max", "100000 200000\n");
  CHECK(facts_in(folder).cpu_quota == 0.5);
}

TEST_CASE("a system without control groups says nothing") {
  const Folder folder;
  CHECK_FALSE(facts_in(folder).version);
  folder.write("/proc/self/cgroup", "");
  CHECK_FALSE(facts_in(folder).version);
  folder.write("/proc/self/cgroup", "0::/\n");
  folder.write("/proc/self/mountinfo", "23 28 0:21 / /sys rw - sysfs sysfs rw\n");
  CHECK_FALSE(facts_in(folder).version);
}

TEST_CASE("malformed limits are no limits") {
  for (const char* junk : {"", "\n", "junk\n", "0 100000\n", "-5 100000\n", "50000 0\n", "50000 junk\n",
                           "99999999999999999999 100000\n", "50000,100000\n"}) {
    const Folder folder;
    folder.write("/proc/self/cgroup", "0::/a\n");
    write_v2(folder, "/a", junk, junk);
    INFO(junk);
    CHECK_FALSE(facts_in(folder).cpu_quota);
    CHECK_FALSE(facts_in(folder).memory_limit);
  }
}

TEST_CASE("malformed tables are no tables") {
  for (const auto& junk :
       {std::string("junk"), std::string(":::"), std::string("0:\n0\n"), std::string("0::relative\n"),
        std::string(200000, ':'), std::string("\0\0\n", 3), std::string("0::") + "\n"}) {
    const Folder folder;
    folder.write("/proc/self/cgroup", junk);
    CHECK_FALSE(facts_in(folder).version);
    folder.write("/proc/self/cgroup", "0::/a\n");
    folder.write("/proc/self/mountinfo", junk);
    CHECK_FALSE(facts_in(folder).version);
  }
}

TEST_CASE("cpusets of both versions") {
  const Folder v1;
  v1.write("/proc/self/cgroup", "3:cpuset:/part\n");
  v1.write("/sys/fs/cgroup/cpuset/part/cpuset.effective_cpus", "2-3\n");
  CHECK(cgroup_cpus(Files(v1.text())) == std::vector{2, 3});
  const Folder v2;
  v2.write("/proc/self/cgroup", "0::/part\n");
  v2.write("/sys/fs/cgroup/cpuset.cpus.effective", "0-7\n");
  CHECK(cgroup_cpus(Files(v2.text())) == std::vector{0, 1, 2, 3, 4, 5, 6, 7});
  v2.write("/sys/fs/cgroup/part/cpuset.cpus.effective", "4\n");
  CHECK(cgroup_cpus(Files(v2.text())) == std::vector{4});
  CHECK_FALSE(cgroup_cpus(Files(Folder().text())));
}
