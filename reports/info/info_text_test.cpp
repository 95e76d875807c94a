// The machine as a person reads it: everything known, nothing known, and any width.
#include "reports/info/info_text.hpp"

#include <catch2/catch.hpp>
#include <sstream>

using namespace ridge;

namespace {

record::Machine known() {
  record::Machine machine;
  machine.identity.cpu_model = "AMD EPYC 7763 64-Core Processor";
  machine.identity.architecture = "x86_64";
  machine.identity.sockets = 2;
  machine.identity.cores_used = 4;
  machine.identity.numa_nodes = 2;
  machine.identity.caches = {{1, "data", 32768, 4, 64}, {3, "unified", 33554432, 2, {}}};
  machine.identity.memory_class = "32 GiB";
  machine.identity.gpus = {{"NVIDIA H200", 151397597184, "9.0", {}, 5, 16}};
  machine.software.kernel = "6.1.0-18-amd64";
  machine.software.governor = "performance";
  machine.software.page_size = 4096;
  machine.software.huge_page_sizes = {2097152, 1073741824};
  machine.software.simd = {"avx512", "avx2", "sse4"};
  machine.software.environment = {{"OMP_NUM_THREADS", "4"}};
  machine.incidental.hostname = "node7";
  machine.incidental.affinity = {0, 1, 2, 8, 10, 11};
  machine.incidental.cgroup = "v2";
  machine.incidental.cpu_quota = 0.5;
  machine.incidental.clock_hz = 3.05e9;
  machine.incidental.memory_total = 25276063744;
  return machine;
}

bool has_line(const std::string& text, const std::string& wanted) {
  return ("\n" + text).find("\n" + wanted + "\n") != std::string::npos;
}

int widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
  return static_cast<int>(most);
}

}  // namespace

TEST_CASE("what is known is said") {
  const auto text = info::text(known(), {{"cpu", {}, 1073741824}, {"cuda:0", "libcuda.so.1 not found", {}}});
  CHECK(has_line(text, "Identity: reports are comparable only where all of this is the same"));
  CHECK(has_line(text, "  CPU model         AMD EPYC 7763 64-Core Processor"));
  CHECK(has_line(text, "  sockets           2"));
  CHECK(has_line(text, "  caches            L1 data     32 KiB x 4, lines of 64 B"));
  CHECK(has_line(text, "                    L3 unified  32 MiB x 2"));
  CHECK(has_line(text, "  governor          performance"));
  CHECK(has_line(text, "  huge pages        2 MiB, 1 GiB"));
  CHECK(has_line(text, "  SIMD              avx512 avx2 sse4"));
  CHECK(has_line(text, "  environment       OMP_NUM_THREADS=4"));
  CHECK(has_line(text, "  CPUs allowed      0-2,8,10-11"));
  CHECK(has_line(text, "  clock             3.05 GHz"));
  CHECK(has_line(text, "  memory            23.54 GiB"));
  CHECK(has_line(text, "  CPU quota         0.5 cores"));
  CHECK(has_line(text, "  cpu               1 GiB usable"));
  CHECK(has_line(text, "  cuda:0            not usable: libcuda.so.1 not found"));
}

TEST_CASE("a known control group without a limit has none, no known one leaves it unknown") {
  CHECK(has_line(info::text(known(), {}), "  memory limit      none"));
  auto unknown = known();
  unknown.incidental.cgroup.reset();
  unknown.incidental.cpu_quota.reset();
  CHECK(has_line(info::text(unknown, {}), "  memory limit      unknown"));
  CHECK(has_line(info::text(unknown, {}), "  CPU quota         unknown"));
}

TEST_CASE("a machine that tells nothing has every line, unknown or hidden") {
  const auto text = info::text({}, {{"cpu", {}, {}}});
  for (const char* line : {"  CPU model         unknown", "  sockets           unknown", "  NUMA nodes        unknown",
                           "  caches            hidden", "  memory class      unknown", "  GPUs              none",
                           "  governor          unknown", "  page size         unknown", "  SIMD              unknown",
                           "  environment       none", "  hostname          unknown", "  memory free       unknown",
                           "  control groups    unknown", "  cpu               an unknown amount of memory usable"})
    CHECK(has_line(text, line));
}

TEST_CASE("no line is wider than asked for, from 40 columns on") {
  auto machine = known();
  machine.identity.cpu_model = std::string(300, 'x') + " " + std::string(100, 'y');
  const std::string reason = "libcuda.so.1 cannot be opened: libcuda.so.1: cannot read file data: Is a directory";
  for (const int width : {40, 60, 80, 200})
    CHECK(widest(info::text(machine, {{"cuda:0", reason, {}}}, width)) <= width);
  CHECK(info::text(machine, {}, 1) == info::text(machine, {}, 40));
  CHECK(info::text(machine, {}, -7) == info::text(machine, {}, 40));
}

TEST_CASE("80 columns are the width where none is given") {
  auto machine = known();
  machine.identity.cpu_model = std::string(300, 'x');
  CHECK(widest(info::text(machine, {})) == 80);
}
