// Flattening a machine to named facts, and comparing two by name.
#include "reports/record/machine_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace ridge::record {
namespace {

std::string text(const std::string& value) {
  return value;
}
std::string text(double value) {
  return fmt::format("{}", value);
}
std::string text(std::int64_t value) {
  return fmt::format("{}", value);
}
std::string text(int value) {
  return fmt::format("{}", value);
}

template <class T>
std::optional<std::string> text(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  return text(*value);
}

template <class T>
std::optional<std::string> text(const std::vector<T>& values) {
  if (values.empty()) return std::nullopt;
  std::string joined;
  for (const auto& value : values) joined += (joined.empty() ? "" : ",") + text(value);
  return joined;
}

class Flattened {
 public:
  template <class T>
  void add(Tier tier, std::string_view name, const T& value) {
    fields.push_back({tier, fmt::format("{}.{}", to_string(tier), name), text(value)});
  }
  void add(Tier tier, std::string_view name, const std::map<std::string, std::string>& entries) {
    for (const auto& [key, value] : entries) add(tier, fmt::format("{}.{}", name, key), value);
  }

  std::vector<Field> fields;
};

// "32768 × 2, line 64" by level and kind; where cores are unlike, one after the other.
std::map<std::string, std::string> caches_by_name(const std::vector<Cache>& caches) {
  std::map<std::string, std::string> named;
  for (const auto& cache : caches) {
    auto& entry = named[fmt::format("L{}.{}", cache.level, cache.kind)];
    entry += fmt::format("{}{} x {}", entry.empty() ? "" : " + ", cache.bytes, cache.instances);
    if (cache.line) entry += fmt::format(", line {}", *cache.line);
  }
  return named;
}

auto order_of(const GpuIdentity& gpu) {
  return std::tie(gpu.model, gpu.memory_bytes, gpu.compute_capability, gpu.mig, gpu.link_generation, gpu.link_width);
}

void add_gpus(std::vector<GpuIdentity> gpus, Flattened& out) {
  std::sort(gpus.begin(), gpus.end(), [](const auto& a, const auto& b) { return order_of(a) < order_of(b); });
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const auto add = [&](const char* name, const auto& value) {
      out.add(Tier::identity, fmt::format("gpus[{}].{}", i, name), value);
    };
    add("model", gpus[i].model);
    add("memory_bytes", gpus[i].memory_bytes);
    add("compute_capability", gpus[i].compute_capability);
    add("mig", gpus[i].mig);
    add("link_generation", gpus[i].link_generation);
    add("link_width", gpus[i].link_width);
  }
}

void add_identity(const Identity& identity, Flattened& out) {
  constexpr auto tier = Tier::identity;
  out.add(tier, "cpu_model", identity.cpu_model);
  out.add(tier, "architecture", identity.architecture);
  out.add(tier, "sockets", identity.sockets);
  out.add(tier, "cores_used", identity.cores_used);
  out.add(tier, "numa_nodes", identity.numa_nodes);
  out.add(tier, "caches", caches_by_name(identity.caches));
  out.add(tier, "memory_class", identity.memory_class);
  add_gpus(identity.gpus, out);
}

void add_software(const Software& software, Flattened& out) {
  constexpr auto tier = Tier::software;
  out.add(tier, "kernel", software.kernel);
  out.add(tier, "os", software.os);
  out.add(tier, "governor", software.governor);
  out.add(tier, "libc", software.libc);
  out.add(tier, "driver", software.driver);
  out.add(tier, "cuda", software.cuda);
  out.add(tier, "transparent_huge_pages", software.transparent_huge_pages);
  out.add(tier, "page_size", software.page_size);
  out.add(tier, "huge_page_sizes", software.huge_page_sizes);
  out.add(tier, "simd", software.simd);
  out.add(tier, "hypervisor", software.hypervisor);
  out.add(tier, "libraries", software.libraries);
  out.add(tier, "environment", software.environment);
  out.add(tier, "gpu_settings", software.gpu_settings);
}

void add_incidental(const Incidental& incidental, Flattened& out) {
  constexpr auto tier = Tier::incidental;
  out.add(tier, "hostname", incidental.hostname);
  out.add(tier, "pid", incidental.pid);
  out.add(tier, "memory_free", incidental.memory_free);
  out.add(tier, "memory_total", incidental.memory_total);
  out.add(tier, "memory_limit", incidental.memory_limit);
  out.add(tier, "cpu_quota", incidental.cpu_quota);
  out.add(tier, "cgroup", incidental.cgroup);
  out.add(tier, "clock_hz", incidental.clock_hz);
  out.add(tier, "affinity", incidental.affinity);
  out.add(tier, "gpus", incidental.gpus);
}

const Field* find(const std::vector<Field>& all, const std::string& path) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Field& each) { return each.path == path; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string_view to_string(Tier tier) {
  switch (tier) {
    case Tier::software:
      return "software";
    case Tier::incidental:
      return "incidental";
    case Tier::identity:
      break;
  }
  return "identity";
}

std::vector<Field> fields(const Machine& machine) {
  Flattened out;
  add_identity(machine.identity, out);
  add_software(machine.software, out);
  add_incidental(machine.incidental, out);
  return std::move(out.fields);
}

std::vector<Difference> differences(const Machine& a, const Machine& b) {
  const auto ours = fields(a);
  const auto theirs = fields(b);
  std::vector<Difference> found;
  for (const auto& mine : ours) {
    const auto* const other = find(theirs, mine.path);
    const auto value = other == nullptr ? std::nullopt : other->value;
    if (mine.value != value) found.push_back({mine.tier, mine.path, mine.value, value});
  }
  for (const auto& other : theirs)
    if (find(ours, other.path) == nullptr && other.value)
      found.push_back({other.tier, other.path, std::nullopt, other.value});
  std::stable_sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.tier < y.tier; });
  return found;
}

bool same_identity(const Machine& a, const Machine& b) {
  const auto found = differences(a, b);
  return found.empty() || found.front().tier != Tier::identity;
}

}  // namespace ridge::record
