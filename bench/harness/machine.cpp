// Sorting the host's facts into identity, software and incidental.
#include "bench/harness/machine.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>

namespace ridge::bench {
namespace {

constexpr const char* recorded_variables[] = {
    "CUDA_DEVICE_ORDER",    "CUDA_LAUNCH_BLOCKING", "CUDA_VISIBLE_DEVICES", "DNNL_MAX_CPU_ISA", "GLIBC_TUNABLES",
    "GOMP_CPU_AFFINITY",    "KMP_AFFINITY",         "MALLOC_ARENA_MAX",     "NCCL_ALGO",        "NCCL_PROTO",
    "NVIDIA_TF32_OVERRIDE", "OMP_NUM_THREADS",      "OMP_PLACES",           "OMP_PROC_BIND",    "ONEDNN_MAX_CPU_ISA",
    "OPENBLAS_CORETYPE",    "OPENBLAS_NUM_THREADS"};

// A value may hold anything; the report holds printable ASCII of bounded length.
std::string safe(const std::string& text) {
  std::string result = text.substr(0, 200);
  for (char& c : result)
    if (c < ' ' || c > '~') c = '?';
  return result;
}

record::Identity identity_of(const device::cpu::Host& host) {
  record::Identity identity;
  identity.cpu_model = host.cpu_model;
  identity.architecture = host.architecture;
  identity.sockets = host.sockets;
  identity.cores_used = host.usable_threads;
  identity.numa_nodes = host.numa_nodes;
  for (const auto& cache : host.caches)
    identity.caches.push_back({cache.level, cache.kind, cache.bytes, cache.instances, cache.line});
  if (host.memory_total) identity.memory_class = memory_class(*host.memory_total);
  return identity;
}

record::Software software_of(const device::cpu::Host& host, const device::DriverProbe& driver,
                             const Environment& environment) {
  record::Software software;
  software.kernel = host.kernel;
  software.os = host.os;
  software.governor = host.governor;
  software.libc = host.libc;
  software.cuda = driver.cuda_version;
  software.transparent_huge_pages = host.transparent_huge_pages;
  software.page_size = host.page_size;
  software.huge_page_sizes = host.huge_page_sizes;
  software.simd = host.simd;
  software.hypervisor = host.hypervisor;
  for (const char* name : recorded_variables)
    if (const auto value = environment(name)) software.environment[name] = safe(*value);
  return software;
}

record::Incidental incidental_of(const device::cpu::Host& host) {
  record::Incidental incidental;
  incidental.hostname = host.hostname;
  incidental.pid = ::getpid();
  incidental.memory_free = host.memory_free;
  incidental.memory_total = host.memory_total;
  incidental.memory_limit = host.cgroup.memory_limit;
  incidental.cpu_quota = host.cgroup.cpu_quota;
  incidental.cgroup = host.cgroup.version;
  incidental.clock_hz = host.clock_hz;
  incidental.affinity = host.affinity;
  return incidental;
}

}  // namespace

Environment process_environment() {
  return [](const char* name) -> std::optional<std::string> {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here writes the environment
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
}

record::Machine make_machine(const device::cpu::Host& host, const device::DriverProbe& driver,
                             const Environment& environment) {
  return {identity_of(host), software_of(host, driver, environment), incidental_of(host)};
}

std::optional<std::string> memory_class(std::int64_t bytes) {
  constexpr std::int64_t mib = std::int64_t{1} << 20;
  if (bytes < mib) return std::nullopt;
  const auto whole = static_cast<std::uint64_t>(bytes / mib + (bytes % mib != 0 ? 1 : 0));
  const std::uint64_t doubled = std::bit_ceil(whole), three_quarters = doubled / 4 * 3;
  const std::uint64_t up = doubled >= 4096 && whole <= three_quarters ? three_quarters : doubled;
  return up < 1024 ? fmt::format("{} MiB", up) : fmt::format("{} GiB", up / 1024);
}

}  // namespace ridge::bench
