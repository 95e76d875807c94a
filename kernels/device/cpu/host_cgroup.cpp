// Finding this process in the control-group trees and reading quota and memory limits on the way up.
#include "kernels/device/cpu/host_cgroup.hpp"

#include <algorithm>

namespace ridge::device::cpu {
namespace {

// Version 1 writes "no limit" as the largest multiple of a page below 2⁶³; no real limit comes near 2⁶².
constexpr std::int64_t no_limit = std::int64_t{1} << 62;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text = text.substr(at + 1);
  }
}

bool contains(const std::vector<std::string_view>& parts, std::string_view wanted) {
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

// mountinfo writes blanks in paths as \040 and the like.
std::string unescaped(std::string_view text) {
  std::string result;
  const auto octal = [](char c) { return c >= '0' && c <= '7'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && octal(text[i + 1]) && octal(text[i + 2]) && octal(text[i + 3])) {
      result += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

struct Mount {
  std::string root;   // the part of the tree that is mounted
  std::string point;  // where
};

// The mount of a controller's hierarchy (version 1), or of the one hierarchy (version 2, an empty name).
std::optional<Mount> find_mount(const Files& files, const std::string& controller) {
  const auto text = files.head("/proc/self/mountinfo", std::size_t{1} << 20);
  if (!text) return Mount{"/", controller.empty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + controller};
  for (const auto line : split(*text, '\n')) {
    const auto parts = split(line, ' ');
    const auto dash = std::find(parts.begin(), parts.end(), "-");
    if (parts.size() < 6 || parts.end() - dash < 4) continue;
    const bool wanted =
        controller.empty() ? dash[1] == "cgroup2" : dash[1] == "cgroup" && contains(split(dash[3], ','), controller);
    if (wanted) return Mount{unescaped(parts[3]), unescaped(parts[4])};
  }
  return std::nullopt;
}

// This process's path in a hierarchy, as /proc/self/cgroup tells: "ID:controllers:path".
std::optional<std::string> own_path(const Files& files, const std::string& controller) {
  const auto text = files.head("/proc/self/cgroup");
  if (!text) return std::nullopt;
  for (const auto line : split(*text, '\n')) {
    const auto first = line.find(':');
    if (first == std::string_view::npos) continue;
    const auto second = line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const auto names = line.substr(first + 1, second - first - 1);
    const auto path = line.substr(second + 1);
    if (!path.starts_with('/')) continue;
    if (controller.empty() ? names.empty() && line.starts_with("0:") : contains(split(names, ','), controller))
      return std::string(path);
  }
  return std::nullopt;
}

// All folders from the process's own up to the mount point, innermost first.
std::vector<std::string> folders_upwards(const Mount& mount, std::string path) {
  if (mount.root != "/") {
    const bool inside =
        path.starts_with(mount.root) && (path.size() == mount.root.size() || path[mount.root.size()] == '/');
    path = inside ? path.substr(mount.root.size()) : "";
  }
  if (contains(split(path, '/'), "..")) path.clear();  // outside of what this namespace shows
  while (path.ends_with('/')) path.pop_back();
  std::vector<std::string> folders;
  while (!path.empty()) {
    folders.push_back(mount.point + path);
    path.resize(path.rfind('/'));
  }
  folders.push_back(mount.point);
  return folders;
}

void keep_smaller(auto& slot, const auto& candidate) {
  if (candidate && (!slot || *candidate < *slot)) slot = candidate;
}

// Cores that the group may use; nothing without a limit.
std::optional<double> quota(const Files& files, int version, const std::string& folder) {
  std::optional<std::int64_t> quota;
  std::optional<std::int64_t> period;
  if (version == 2) {
    const auto text = files.value(folder + "/cpu.max");
    if (!text) return std::nullopt;
    const auto parts = split(*text, ' ');
    quota = parse_integer(parts[0]);  // "max" is no integer
    period = parts.size() > 1 ? parse_integer(parts[1]) : 100000;
  } else {
    quota = files.integer(folder + "/cpu.cfs_quota_us");  // -1: no limit
    period = files.integer(folder + "/cpu.cfs_period_us");
  }
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

// Bytes in use that the kernel could not simply drop: usage less inactive file pages, as container runtimes count.
std::optional<std::int64_t> used(const Files& files, int version, const std::string& folder) {
  const auto usage = files.integer(folder + (version == 2 ? "/memory.current" : "/memory.usage_in_bytes"));
  if (!usage || *usage < 0) return std::nullopt;
  const auto stat = files.head(folder + "/memory.stat");
  const auto text = stat ? field(*stat, version == 2 ? "inactive_file" : "total_inactive_file", ' ') : std::nullopt;
  const auto inactive = text ? parse_integer(*text) : std::nullopt;
  return std::max<std::int64_t>(0, *usage - std::clamp<std::int64_t>(inactive.value_or(0), 0, *usage));
}

void read_memory(const Files& files, const CgroupPath& path, CgroupFact& fact) {
  for (const auto& folder : path.folders) {
    const auto limit = files.integer(folder + (path.version == 2 ? "/memory.max" : "/memory.limit_in_bytes"));
    if (!limit || *limit < 0 || *limit >= no_limit) continue;
    const auto usage = used(files, path.version, folder);
    keep_smaller(fact.memory_left, std::optional(std::max<std::int64_t>(0, *limit - usage.value_or(0))));
    if (fact.memory_limit && *fact.memory_limit <= *limit) continue;
    fact.memory_limit = limit;
    fact.memory_used = usage;
  }
}

}  // namespace

CgroupPath cgroup_path(const Files& files, const std::string& controller) {
  // On a system with both trees a controller belongs to exactly one of them; version 1 names it.
  for (const auto& [version, name] : {std::pair(1, controller), std::pair(2, std::string())}) {
    const auto path = own_path(files, name);
    const auto mount = path ? find_mount(files, name) : std::nullopt;
    if (mount) return {version, folders_upwards(*mount, *path)};
  }
  return {};
}

CgroupFact read_cgroup(const Files& files) {
  CgroupFact fact;
  const auto cpu = cgroup_path(files, "cpu");
  const auto memory = cgroup_path(files, "memory");
  for (const auto& folder : cpu.folders) keep_smaller(fact.cpu_quota, quota(files, cpu.version, folder));
  read_memory(files, memory, fact);
  if (cpu.version == 1 || memory.version == 1) {
    fact.version = "v1";
  } else if (cpu.version == 2 || memory.version == 2) {
    fact.version = "v2";
  }
  return fact;
}

std::optional<std::vector<int>> cgroup_cpus(const Files& files) {
  const auto path = cgroup_path(files, "cpuset");
  for (const auto& folder : path.folders)
    for (const char* name : {"/cpuset.cpus.effective", "/cpuset.effective_cpus", "/cpuset.cpus"})
      if (auto cpus = files.ids(folder + name)) return cpus;
  return std::nullopt;
}

}  // namespace ridge::device::cpu
