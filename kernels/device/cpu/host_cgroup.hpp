// Control groups, versions 1 and 2: where this process is, and the tightest limits over the path up to the root.
#pragma once

#include <string>
#include <vector>

#include "kernels/device/cpu/host.hpp"
#include "kernels/device/cpu/host_files.hpp"

namespace ridge::device::cpu {

// The folders ("/sys/fs/cgroup/…", without the root of `files`) that govern a controller for this process, innermost
// first.
struct CgroupPath {
  int version = 0;  // 1, 2; 0: no such controller
  std::vector<std::string> folders;
};

// `controller` is "cpu", "cpuset" or "memory". From /proc/self/cgroup and /proc/self/mountinfo; where a container shows
// only its own part of the tree, the part that is mounted.
CgroupPath cgroup_path(const Files& files, const std::string& controller);

CgroupFact read_cgroup(const Files& files);

// The CPUs that the innermost cpuset allows; nothing when no cpuset says so.
std::optional<std::vector<int>> cgroup_cpus(const Files& files);

}  // namespace ridge::device::cpu
