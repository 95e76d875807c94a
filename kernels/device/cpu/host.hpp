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
  std::optional<std::int64_t> memory_used;   // bytes, in the group with that limit; file pages that can go not counted
  std::optional<std::int64_t> memory_left;   // bytes, under the limit that leaves the least
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
  std::vector<std::int64_t> huge_page_sizes;          // bytes, ascending
  std::optional<std::string> transparent_huge_pages;  // "always", "madvise", "never"
  std::optional<std::string> governor;                // of the usable CPUs; several are joined with ", "
  std::optional<double> clock_hz;                     // as the kernel says at this moment
  std::optional<std::string> hypervisor;              // its name; "unnamed" when only its presence is known
  std::optional<std::string> kernel;
  std::optional<std::string> os;
  std::optional<std::string> libc;  // "glibc 2.36"
  std::optional<std::string> hostname;
  std::vector<std::string> simd;  // instruction sets the host offers that Ridge's kernels can use, best first
};

// Where facts are read from; tests give a folder of fixtures in place of "/", and fixed answers in place of system
// calls.
struct HostSource {
  std::string root = "/";  // prefix of /proc and /sys; system calls are made for "/" only
  std::optional<std::vector<int>> affinity = std::nullopt;  // instead of sched_getaffinity
  bool use_hwloc = true;                                    // for "/" only; false: files
};

// Never throws for what the machine says or hides: what is missing or malformed is absent. Some milliseconds on a small
// machine, some tens on one with hundreds of CPUs.
Host read_host(const HostSource& source = {});

}  // namespace ridge::device::cpu
