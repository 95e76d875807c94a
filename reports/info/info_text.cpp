// What is said about each fact of the machine, in the order a person asks for it.
#include "reports/info/info_text.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

#include "reports/info/columns.hpp"
#include "reports/record/unit.hpp"

namespace ridge::info {
namespace {

using record::human;
using record::Unit;
using Lines = std::vector<std::string>;

// Four digits in the largest binary unit that leaves at least one: amounts of memory are never exact multiples.
std::string binary(std::int64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; unit + 1 < units.size() && value >= 1024; ++unit) value /= 1024;
  return fmt::format("{:.4g} {}", value, units[unit]);
}

std::optional<std::string> bytes(const std::optional<std::int64_t>& value) {
  if (!value) return std::nullopt;
  return binary(*value);
}

std::optional<std::string> number(const std::optional<int>& value) {
  if (!value) return std::nullopt;
  return fmt::format("{}", *value);
}

Lines entries(const std::map<std::string, std::string>& named, const char* separator) {
  Lines lines;
  for (const auto& [name, value] : named) lines.push_back(name + separator + value);
  if (lines.empty()) lines.emplace_back("none");
  return lines;
}

Lines caches(const std::vector<record::Cache>& all) {
  Lines lines;
  for (const auto& cache : all) {
    auto line = fmt::format("L{} {:<8} {} x {}", cache.level, cache.kind, binary(cache.bytes), cache.instances);
    if (cache.line) line += fmt::format(", lines of {} B", *cache.line);
    lines.push_back(std::move(line));
  }
  if (lines.empty()) lines.emplace_back("hidden");
  return lines;
}

Lines gpus(const std::vector<record::GpuIdentity>& all) {
  Lines lines;
  for (const auto& gpu : all) {
    auto line = fmt::format("{}, memory {}", gpu.model, bytes(gpu.memory_bytes).value_or("unknown"));
    line += ", compute capability " + gpu.compute_capability.value_or("unknown");
    if (gpu.mig) line += ", MIG slice " + *gpu.mig;
    line += fmt::format(", link generation {} x {}", number(gpu.link_generation).value_or("unknown"),
                        number(gpu.link_width).value_or("unknown"));
    lines.push_back(std::move(line));
  }
  if (lines.empty()) lines.emplace_back("none");
  return lines;
}

// 0,1,2,5 → "0-2,5"
std::optional<std::string> ranges(const std::vector<int>& ids) {
  if (ids.empty()) return std::nullopt;
  std::string result;
  for (std::size_t first = 0; first < ids.size();) {
    std::size_t last = first;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1) ++last;
    result += fmt::format("{}{}", result.empty() ? "" : ",", ids[first]);
    if (last > first) result += fmt::format("-{}", ids[last]);
    first = last + 1;
  }
  return result;
}

std::optional<std::string> sizes(const std::vector<std::int64_t>& all) {
  if (all.empty()) return std::nullopt;
  std::string result;
  for (const auto size : all) result += (result.empty() ? "" : ", ") + binary(size);
  return result;
}

std::optional<std::string> joined(const Lines& words) {
  if (words.empty()) return std::nullopt;
  std::string result;
  for (const auto& word : words) result += (result.empty() ? "" : " ") + word;
  return result;
}

// A limit that a known control group does not set is none; without a known one it is unknown.
std::optional<std::string> limit(const record::Incidental& facts, std::optional<std::string> value) {
  if (value || !facts.cgroup) return value;
  return "none";
}

void add_identity(const record::Identity& facts, Columns& out) {
  out.heading("Identity: reports are comparable only where all of this is the same");
  out.row("CPU model", facts.cpu_model);
  out.row("architecture", facts.architecture.empty() ? std::nullopt : std::optional(facts.architecture));
  out.row("sockets", number(facts.sockets));
  out.row("cores used", fmt::format("{}", facts.cores_used));
  out.row("NUMA nodes", number(facts.numa_nodes));
  out.row("caches", caches(facts.caches));
  out.row("memory class", facts.memory_class);
  out.row("GPUs", gpus(facts.gpus));
}

void add_software(const record::Software& facts, Columns& out) {
  out.heading("Software: a difference is a warning");
  out.row("kernel", facts.kernel);
  out.row("system", facts.os);
  out.row("C library", facts.libc);
  out.row("hypervisor", facts.hypervisor.value_or("none seen"));
  out.row("governor", facts.governor);
  out.row("page size", bytes(facts.page_size));
  out.row("huge pages", sizes(facts.huge_page_sizes));
  out.row("THP", facts.transparent_huge_pages);
  out.row("SIMD", joined(facts.simd));
  out.row("NVIDIA driver", facts.driver);
  out.row("CUDA", facts.cuda);
  out.row("libraries", entries(facts.libraries, " "));
  out.row("environment", entries(facts.environment, "="));
  if (!facts.gpu_settings.empty()) out.row("GPU settings", entries(facts.gpu_settings, " "));
}

void add_incidental(const record::Incidental& facts, Columns& out) {
  out.heading("Incidental: ignored when reports are compared");
  out.row("hostname", facts.hostname);
  out.row("CPUs allowed", ranges(facts.affinity));
  out.row("clock", facts.clock_hz ? std::optional(human(*facts.clock_hz, Unit::hertz)) : std::nullopt);
  out.row("memory", bytes(facts.memory_total));
  out.row("memory free", bytes(facts.memory_free));
  out.row("control groups", facts.cgroup);
  out.row("memory limit", limit(facts, bytes(facts.memory_limit)));
  const auto cores = facts.cpu_quota ? std::optional(fmt::format("{:.4g} cores", *facts.cpu_quota)) : std::nullopt;
  out.row("CPU quota", limit(facts, cores));
  if (!facts.gpus.empty()) out.row("GPUs", entries(facts.gpus, " "));
}

}  // namespace

std::string text(const record::Machine& machine, const std::vector<Device>& devices, int width) {
  Columns out(width);
  add_identity(machine.identity, out);
  add_software(machine.software, out);
  add_incidental(machine.incidental, out);
  out.heading("Devices");
  for (const auto& device : devices) {
    if (device.absent) {
      out.row(device.name, "not usable: " + *device.absent);
    } else {
      out.row(device.name, bytes(device.bytes).value_or("an unknown amount of memory") + " usable");
    }
  }
  return out.text();
}

}  // namespace ridge::info
