// Sockets, caches and memory nodes, from hwloc or from the kernel's files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/device/cpu/host.hpp"
#include "kernels/device/cpu/host_files.hpp"

namespace ridge::device::cpu {

struct Topology {
  std::optional<int> sockets;     // of the machine, whether usable or not
  std::vector<CacheFact> caches;  // that the usable CPUs touch; by level, then size; empty: hidden
};

Topology topology_from_files(const Files& files, const std::vector<int>& usable);

// hwloc's view of this machine, or of an XML or synthetic description given for tests ("package:2 l3:1 core:4 pu:1").
// Nothing when hwloc fails or describes another machine than this (HWLOC_XMLFILE and its kind).
std::optional<Topology> topology_from_hwloc(const std::vector<int>& usable, const std::string& synthetic = {});

// Memory nodes of the machine; nothing when the kernel knows no NUMA. Node ids may have gaps.
std::optional<int> count_numa_nodes(const Files& files);
// The node that a device in /sys (a folder with a `numa_node` file) is attached to; nothing for -1 and for no file.
std::optional<int> numa_node_of(const Files& files, std::string_view device_folder);

// One cache instance as seen from one CPU; equal ones are one instance.
struct CacheInstance {
  int level = 0;
  std::string kind;
  std::int64_t bytes = 0;
  std::optional<std::int64_t> line;
  std::vector<int> cpus;  // that share it
  auto operator<=>(const CacheInstance&) const = default;
};
// Counts instances of the same level, kind and size.
std::vector<CacheFact> grouped(std::vector<CacheInstance> instances);

}  // namespace ridge::device::cpu
