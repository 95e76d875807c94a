// Collects what this host says about itself from the kernel's files, hwloc and a few system calls.
#include "kernels/device/cpu/host.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>

#include "kernels/device/cpu/host_cgroup.hpp"
#include "kernels/device/cpu/host_cpu.hpp"
#include "kernels/device/cpu/host_files.hpp"
#include "kernels/device/cpu/host_topology.hpp"

namespace ridge::device::cpu {
namespace {

struct FreeSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

// The fixed cpu_set_t ends at 1024 CPUs, and the call fails on a kernel that knows more: hence the growing one.
std::optional<std::vector<int>> affinity_of_process() {
  for (int count = 1024; count <= 65536; count *= 4) {
    const std::unique_ptr<cpu_set_t, FreeSet> set(CPU_ALLOC(count));
    const std::size_t bytes = CPU_ALLOC_SIZE(count);
    if (!set || sched_getaffinity(0, bytes, set.get()) != 0) continue;
    std::vector<int> cpus;
    for (int cpu = 0; cpu < count; ++cpu)
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set.get())) cpus.push_back(cpu);
    return cpus;
  }
  return std::nullopt;
}

std::optional<std::vector<int>> affinity_in_files(const Files& files) {
  if (const auto status = files.head("/proc/self/status"))
    if (const auto line = field(*status, "Cpus_allowed_list"))
      if (auto cpus = parse_id_list(*line)) return cpus;
  return files.ids("/sys/devices/system/cpu/online");
}

std::vector<int> read_affinity(const Files& files, const HostSource& source) {
  std::optional<std::vector<int>> cpus = source.affinity;
  if (!cpus && files.root().empty()) cpus = affinity_of_process();
  if (!cpus) cpus = affinity_in_files(files);
  if (!cpus) return {};
  const auto allowed = cgroup_cpus(files);
  if (!allowed) return *cpus;
  std::vector<int> both;
  std::set_intersection(cpus->begin(), cpus->end(), allowed->begin(), allowed->end(), std::back_inserter(both));
  return both.empty() ? *cpus : both;
}

int threads_for(const std::vector<int>& affinity, const std::optional<double>& quota) {
  double threads = std::max<double>(1, static_cast<double>(affinity.size()));
  if (quota) threads = std::min(threads, std::ceil(*quota));
  return static_cast<int>(threads);
}

std::optional<std::int64_t> meminfo(std::string_view text, std::string_view key) {
  auto value = field(text, key);
  if (!value || !value->ends_with(" kB")) return std::nullopt;
  value->remove_suffix(3);
  const auto kib = parse_integer(*value);
  if (!kib || *kib < 0 || *kib > (std::int64_t{1} << 52)) return std::nullopt;
  return *kib * 1024;
}

void read_memory(const Files& files, Host& host) {
  if (const auto text = files.head("/proc/meminfo")) {
    host.memory_total = meminfo(*text, "MemTotal");
    host.memory_free = meminfo(*text, "MemAvailable");
  }
  const auto& left = host.cgroup.memory_left;
  if (host.memory_free && left) {
    host.memory_usable = std::min(*host.memory_free, *left);
  } else {
    host.memory_usable = host.memory_free ? *host.memory_free : left.value_or(0);
  }
}

// "always [madvise] never" → madvise
std::optional<std::string> bracketed(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const auto begin = text->find('[');
  const auto end = text->find(']', begin == std::string::npos ? text->size() : begin);
  if (end == std::string::npos) return std::nullopt;
  return clean(std::string_view(*text).substr(begin + 1, end - begin - 1));
}

std::optional<std::string> read_governor(const Files& files, const std::vector<int>& cpus) {
  std::set<std::string> names;
  for (const int cpu : cpus)
    if (const auto name = files.value(fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", cpu)))
      names.insert(*name);
  std::string joined;
  for (const auto& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return clean(joined);
}

// By what the guest can see without privileges: paravirtual clocks and the firmware's tables name it.
std::optional<std::string> read_hypervisor(const Files& files, bool flagged) {
  if (const auto type = files.value("/sys/hypervisor/type")) return clean(*type);
  const auto clocks = files.value("/sys/devices/system/clocksource/clocksource0/available_clocksource").value_or("");
  if (clocks.find("kvm-clock") != std::string::npos) return "kvm";
  if (clocks.find("hyperv") != std::string::npos) return "hyperv";
  const auto vendor = files.value("/sys/class/dmi/id/sys_vendor").value_or("");
  for (const char* known : {"QEMU", "VMware", "Xen", "Amazon EC2", "Google", "innotek", "Parallels"})
    if (vendor.starts_with(known) && (flagged || vendor == "QEMU")) return clean(vendor);
  if (files.value("/proc/device-tree/hypervisor/compatible")) return "unnamed";
  if (flagged) return "unnamed";
  return std::nullopt;
}

std::optional<std::string> read_os(const Files& files) {
  for (const char* path : {"/etc/os-release", "/usr/lib/os-release"}) {
    const auto text = files.head(path);
    const auto name = text ? field(*text, "PRETTY_NAME", '=') : std::nullopt;
    if (!name) continue;
    auto inner = *name;
    while (!inner.empty() && (inner.front() == '"' || inner.front() == '\'')) inner.remove_prefix(1);
    while (!inner.empty() && (inner.back() == '"' || inner.back() == '\'')) inner.remove_suffix(1);
    return clean(inner);
  }
  return std::nullopt;
}

std::optional<std::string> cleaned(const std::optional<std::string>& text) {
  return text ? clean(*text) : std::nullopt;
}

std::vector<std::int64_t> read_huge_pages(const Files& files) {
  std::vector<std::int64_t> sizes;
  for (const auto& name : files.names("/sys/kernel/mm/hugepages", "hugepages-")) {
    if (!name.ends_with("kB")) continue;
    const auto kib = parse_integer(std::string_view(name).substr(0, name.size() - 2));
    if (kib && *kib > 0 && *kib < (std::int64_t{1} << 40)) sizes.push_back(*kib * 1024);
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace

Host read_host(const HostSource& source) {
  const Files files(source.root);
  const bool here = files.root().empty();
  Host host;
  const auto cpu = parse_cpuinfo(files.head("/proc/cpuinfo").value_or(""));
  host.cpu_model = cpu.model;
  host.simd = cpu.simd;
  host.clock_hz = cpu.clock_hz;
  host.hypervisor = read_hypervisor(files, cpu.hypervisor);
  utsname system{};
  if (::uname(&system) == 0) host.architecture = clean(static_cast<const char*>(system.machine)).value_or("");
  host.affinity = read_affinity(files, source);
  auto topology = here && source.use_hwloc ? topology_from_hwloc(host.affinity) : std::nullopt;
  if (!topology) topology = topology_from_files(files, host.affinity);
  host.sockets = topology->sockets;
  host.caches = std::move(topology->caches);
  host.numa_nodes = count_numa_nodes(files);
  host.cgroup = read_cgroup(files);
  host.usable_threads = threads_for(host.affinity, host.cgroup.cpu_quota);
  read_memory(files, host);
  if (const long page = ::sysconf(_SC_PAGESIZE); page > 0) host.page_size = page;
  host.huge_page_sizes = read_huge_pages(files);
  host.transparent_huge_pages = bracketed(files.value("/sys/kernel/mm/transparent_hugepage/enabled"));
  host.governor = read_governor(files, host.affinity);
  host.kernel = cleaned(files.value("/proc/sys/kernel/osrelease"));
  host.hostname = cleaned(files.value("/proc/sys/kernel/hostname"));
  host.os = read_os(files);
#ifdef __GLIBC__
  host.libc = fmt::format("glibc {}", ::gnu_get_libc_version());
#endif
  return host;
}

}  // namespace ridge::device::cpu
