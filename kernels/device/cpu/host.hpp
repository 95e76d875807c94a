// What this host says about itself: processor, caches, memory, limits. Every fact may be absent; nothing is guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridge::device::cpu {

struct CacheFact {
  int level = 0;
  std::string kind;            // "data" or "unified"; instruction caches are left out
  std::int64_t bytes = 0;      // of one instance
  std::int64_t instances = 0;  // distinct ones that the usable CPUs touch
  std::optional<std::int64_t> line;
};

// Limits set by control groups, the tightest over the whole path up to the root; v1 and v2.
struct CgroupFact {
  std::optional<std::string> version;        // "v1", "v2"
  std::optional<double> cpu_quota;           // cores
  std::optional<std::int64_t> memory_limit;  // bytes
  std::optional<std::int64_t> memory_used;   // bytes
};

struct Host {
  std::optional<std::string> cpu_model;
  std::string architecture;  // as uname says: x86_64, aarch64
  std::optional<int> sockets;
  std::optional<int> numa_nodes;
  std::vector<CacheFact> caches;  // empty: hidden
  std::vector<int> affinity;      // logical CPUs this process may use, ascending
  CgroupFact cgroup;
  int usable_threads = 1;  // min(affinity, ceil(quota))
  std::optional<std::int64_t> memory_total;
  std::optional<std::int64_t> memory_free;  // MemAvailable
  std::int64_t memory_usable = 0;           // min(free, what the cgroup still allows); 0 when nothing is known
  std::optional<std::int64_t> page_size;
  std::optional<std::string> transparent_huge_pages;  // "always", "madvise", "never"
  std::optional<std::string> governor;
  std::optional<std::string> hypervisor;
  std::optional<std::string> kernel;
  std::optional<std::string> os;
  std::optional<std::string> libc;
  std::optional<std::string> hostname;
  std::vector<std::string> simd;  // instruction sets the host offers that Ridge's kernels can use, best first
};

// Where facts are read from; tests give a folder of fixtures in place of "/", and fixed answers in place of system
// calls.
struct HostSource {
  std::string root = "/";                    // prefix of /proc and /sys
  std::optional<std::vector<int>> affinity;  // instead of sched_getaffinity
  bool use_hwloc = true;                     // false: files under `root` only
};

Host read_host(const HostSource& source = {});

}  // namespace ridge::device::cpu
