// Sockets, caches and memory nodes from the files under /sys/devices/system.
#include "kernels/device/cpu/host_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace ridge::device::cpu {
namespace {

constexpr std::string_view cpu_root = "/sys/devices/system/cpu";

std::optional<int> count_sockets(const Files& files) {
  std::set<std::int64_t> packages;
  for (const int cpu : files.numbered(cpu_root, "cpu")) {
    const auto package = files.integer(fmt::format("{}/cpu{}/topology/physical_package_id", cpu_root, cpu));
    if (package && *package >= 0) packages.insert(*package);  // -1: the firmware does not say
  }
  if (packages.empty()) return std::nullopt;
  return static_cast<int>(packages.size());
}

std::optional<CacheInstance> read_cache(const Files& files, const std::string& folder, int cpu) {
  const auto level = files.integer(folder + "/level");
  const auto bytes = files.value(folder + "/size");
  const auto size = bytes ? parse_cache_size(*bytes) : std::nullopt;
  const auto type = files.value(folder + "/type");
  if (!level || *level < 1 || *level > 9 || !size || !type) return std::nullopt;
  if (type != "Data" && type != "Unified") return std::nullopt;
  auto line = files.integer(folder + "/coherency_line_size");
  if (line && *line <= 0) line.reset();
  return CacheInstance{static_cast<int>(*level), type == "Data" ? "data" : "unified", *size, line,
                       files.ids(folder + "/shared_cpu_list").value_or(std::vector{cpu})};
}

}  // namespace

std::vector<CacheFact> grouped(std::vector<CacheInstance> instances) {
  std::sort(instances.begin(), instances.end());
  instances.erase(std::unique(instances.begin(), instances.end()), instances.end());
  std::vector<CacheFact> facts;
  for (const auto& each : instances) {
    const bool same = !facts.empty() && facts.back().level == each.level && facts.back().kind == each.kind &&
                      facts.back().bytes == each.bytes;
    if (!same) facts.push_back({each.level, each.kind, each.bytes, 0, each.line});
    facts.back().instances += 1;
  }
  return facts;
}

Topology topology_from_files(const Files& files, const std::vector<int>& usable) {
  Topology topology{count_sockets(files), {}};
  std::vector<CacheInstance> instances;
  std::map<int, std::set<int>> covered;  // index folder → CPUs whose cache there is known: saves reading it again
  for (const int cpu : usable) {
    const std::string folder = fmt::format("{}/cpu{}/cache", cpu_root, cpu);
    for (const int index : files.numbered(folder, "index")) {
      if (covered[index].contains(cpu)) continue;
      auto cache = read_cache(files, fmt::format("{}/index{}", folder, index), cpu);
      if (!cache) continue;
      covered[index].insert(cache->cpus.begin(), cache->cpus.end());
      instances.push_back(std::move(*cache));
    }
  }
  topology.caches = grouped(std::move(instances));
  return topology;
}

std::optional<int> count_numa_nodes(const Files& files) {
  const auto online = files.ids("/sys/devices/system/node/online");
  const auto nodes = online ? *online : files.numbered("/sys/devices/system/node", "node");
  if (nodes.empty()) return std::nullopt;
  return static_cast<int>(nodes.size());
}

std::optional<int> numa_node_of(const Files& files, std::string_view device_folder) {
  const auto node = files.integer(fmt::format("{}/numa_node", device_folder));
  if (!node || *node < 0 || *node > 65535) return std::nullopt;
  return static_cast<int>(*node);
}

}  // namespace ridge::device::cpu
