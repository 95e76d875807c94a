// The machine a report was taken on, in three tiers: what makes it comparable, what may explain a change, what is
// incidental.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridge::record {

struct Cache {
  int level = 0;
  std::string kind;                  // "data", "unified"
  std::int64_t bytes = 0;            // of one instance
  std::int64_t instances = 0;        // distinct slices among the usable cores
  std::optional<std::int64_t> line;  // bytes
};

struct GpuIdentity {
  std::string model;
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::string> compute_capability;
  std::optional<std::string> mig;      // the slice's profile, if any
  std::optional<int> link_generation;  // at most
  std::optional<int> link_width;       // at most
};

struct Identity {  // differing means not comparable
  std::optional<std::string> cpu_model;
  std::string architecture;  // x86_64, aarch64
  std::optional<int> sockets;
  int cores_used = 0;
  std::optional<int> numa_nodes;
  std::vector<Cache> caches;                // empty: hidden
  std::optional<std::string> memory_class;  // total memory rounded up to 2^n or 3·2^n GiB, "24 GiB"
  std::vector<GpuIdentity> gpus;
};

struct Software {  // differing warns and is listed
  std::optional<std::string> kernel;
  std::optional<std::string> os;
  std::optional<std::string> governor;
  std::optional<std::string> libc;
  std::optional<std::string> driver;
  std::optional<std::string> cuda;
  std::optional<std::string> transparent_huge_pages;
  std::optional<std::int64_t> page_size;
  std::vector<std::int64_t> huge_page_sizes;  // bytes, ascending
  std::vector<std::string> simd;              // what run-time dispatch may use, best first
  std::optional<std::string> hypervisor;
  std::map<std::string, std::string> libraries;     // name → version of what was opened
  std::map<std::string, std::string> environment;   // the short allow-list
  std::map<std::string, std::string> gpu_settings;  // power limit, ECC, persistence, compute mode by device
};

struct Incidental {  // ignored
  std::optional<std::string> hostname;
  std::optional<std::int64_t> pid;
  std::optional<std::int64_t> memory_free;   // bytes
  std::optional<std::int64_t> memory_total;  // bytes
  std::optional<std::int64_t> memory_limit;  // bytes, cgroup
  std::optional<double> cpu_quota;           // cores, cgroup
  std::optional<std::string> cgroup;         // "v1", "v2"
  std::optional<double> clock_hz;
  std::vector<int> affinity;                // logical CPUs this process may use
  std::map<std::string, std::string> gpus;  // device → "UUID, PCI address"
};

struct Machine {
  Identity identity;
  Software software;
  Incidental incidental;
};

}  // namespace ridge::record
