// The host's facts in their tiers, the allow-listed environment, and what does not change a machine's identity.
#include "bench/harness/machine.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <map>

#include "reports/record/machine_diff.hpp"

using namespace ridge;

namespace {

bench::Environment environment_of(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

device::cpu::Host some_host() {
  device::cpu::Host host;
  host.cpu_model = "Arm Neoverse-V2";
  host.architecture = "aarch64";
  host.sockets = 1;
  host.numa_nodes = 1;
  host.usable_threads = 3;
  host.caches = {{1, "data", 65536, 3, 64}, {2, "unified", 1048576, 3, 64}};
  host.affinity = {1, 2, 5};
  host.memory_total = 502511173632;
  host.memory_free = 400000000000;
  host.cgroup = {"v2", 2.5, 1 << 30, 1 << 20, (1 << 30) - (1 << 20)};
  host.page_size = 65536;
  host.huge_page_sizes = {2 << 20};
  host.hostname = "grace1";
  host.kernel = "6.8.0";
  host.simd = {"sve2", "neon"};
  return host;
}

record::Machine machine_of(const device::cpu::Host& host) {
  return bench::make_machine(host, {"13.0", {}}, environment_of({{"OMP_NUM_THREADS", "2"}}));
}

}  // namespace

TEST_CASE("each fact of the host is in its tier") {
  const auto machine = machine_of(some_host());
  CHECK(machine.identity.cpu_model == "Arm Neoverse-V2");
  CHECK(machine.identity.architecture == "aarch64");
  CHECK(machine.identity.cores_used == 3);
  CHECK(machine.identity.memory_class == "512 GiB");
  REQUIRE(machine.identity.caches.size() == 2);
  CHECK(machine.identity.caches[1].bytes == 1048576);
  CHECK(machine.identity.caches[1].instances == 3);
  CHECK(machine.software.kernel == "6.8.0");
  CHECK(machine.software.cuda == "13.0");
  CHECK(machine.software.page_size == 65536);
  CHECK(machine.software.huge_page_sizes == std::vector<std::int64_t>{2 << 20});
  CHECK(machine.software.simd == std::vector<std::string>{"sve2", "neon"});
  CHECK(machine.incidental.hostname == "grace1");
  CHECK(machine.incidental.cpu_quota == 2.5);
  CHECK(machine.incidental.memory_limit == 1 << 30);
  CHECK(machine.incidental.cgroup == "v2");
  CHECK(machine.incidental.affinity == std::vector{1, 2, 5});
  CHECK(machine.incidental.pid.value_or(0) > 0);
}

TEST_CASE("what the host does not tell stays unknown") {
  const auto machine = bench::make_machine({}, {}, environment_of({}));
  for (const auto& field : record::fields(machine)) {
    INFO(field.path);
    const bool always_known =
        field.path == "identity.architecture" || field.path == "identity.cores_used" || field.path == "incidental.pid";
    CHECK(field.value.has_value() == always_known);
  }
}

TEST_CASE("only variables of the short list are looked at, and their values are made safe") {
  const auto machine = bench::make_machine({}, {},
                                           environment_of({{"OMP_NUM_THREADS", "4"},
                                                           {"OPENBLAS_CORETYPE", "Zen\n\x80"},
                                                           {"CUDA_VISIBLE_DEVICES", ""},
                                                           {"NCCL_ALGO", std::string(10000, 'x')},
                                                           {"HOME", "/home/somebody"},
                                                           {"API_TOKEN", "secret"}}));
  const auto& environment = machine.software.environment;
  CHECK(environment.size() == 4);
  CHECK(environment.at("OMP_NUM_THREADS") == "4");
  CHECK(environment.at("OPENBLAS_CORETYPE") == "Zen??");
  CHECK(environment.at("CUDA_VISIBLE_DEVICES").empty());
  CHECK(environment.at("NCCL_ALGO").size() == 200);
}

TEST_CASE("hostname, free memory, clock and which CPUs do not change identity, how many does") {
  auto other = some_host();
  other.hostname = "grace2";
  other.memory_free = 1;
  other.clock_hz = 3e9;
  other.affinity = {0, 3, 4};
  other.cgroup.memory_limit.reset();
  CHECK(record::same_identity(machine_of(some_host()), machine_of(other)));
  other.usable_threads = 2;
  CHECK_FALSE(record::same_identity(machine_of(some_host()), machine_of(other)));
}

TEST_CASE("a little memory more or less in use by the firmware is the same class") {
  auto other = some_host();
  other.memory_total = *other.memory_total - (std::int64_t{2} << 30);
  CHECK(record::same_identity(machine_of(some_host()), machine_of(other)));
}

TEST_CASE("memory classes") {
  constexpr std::int64_t mib = 1 << 20;
  constexpr std::int64_t gib = 1024 * mib;
  CHECK(bench::memory_class(32 * gib) == "32 GiB");
  CHECK(bench::memory_class(32 * gib - 700 * mib) == "32 GiB");
  CHECK(bench::memory_class(24 * gib) == "24 GiB");
  CHECK(bench::memory_class(24 * gib - 500 * mib) == "24 GiB");
  CHECK(bench::memory_class(24 * gib + 1) == "32 GiB");
  CHECK(bench::memory_class(755 * gib) == "768 GiB");
  CHECK(bench::memory_class(32 * gib + 1) == "48 GiB");
  CHECK(bench::memory_class(gib) == "1 GiB");
  CHECK(bench::memory_class(480 * mib) == "512 MiB");
  CHECK(bench::memory_class(mib) == "1 MiB");
  CHECK_FALSE(bench::memory_class(mib - 1));
  CHECK_FALSE(bench::memory_class(0));
  CHECK_FALSE(bench::memory_class(-1));
  CHECK(bench::memory_class(std::numeric_limits<std::int64_t>::max()) == "8589934592 GiB");
}
