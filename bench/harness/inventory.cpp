// From the host's facts to what the planner asks: levels, capacities, devices.
#include "bench/harness/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/device/cpu/host.hpp"
#include "kernels/device/driver_probe.hpp"

namespace ridge::bench {
namespace {

// Instances of one level may differ in size (unlike cores): what surely fits counts the smallest, what surely does not
// counts all.
std::vector<Level> levels_of(const std::vector<device::cpu::CacheFact>& caches) {
  std::vector<Level> levels;
  for (const auto& cache : caches) {
    if (cache.level < 1 || cache.bytes <= 0 || cache.instances <= 0) continue;
    const auto name = fmt::format("L{}", cache.level);
    const auto known = std::find_if(levels.begin(), levels.end(), [&](const Level& l) { return l.name == name; });
    if (known == levels.end()) {
      levels.push_back({name, cache.bytes, cache.instances});
      continue;
    }
    known->all_bytes = known->total() + cache.bytes * cache.instances;
    known->bytes = std::min(known->bytes, cache.bytes);
    known->instances += cache.instances;
  }
  std::sort(levels.begin(), levels.end(), [](const Level& a, const Level& b) { return a.name < b.name; });
  return levels;
}

}  // namespace

Inventory Inventory::seen_by(const device::Name& name) const {
  if (name.kind == device::Kind::cpu) return *this;
  const DeviceEntry* const entry = find(name);
  const auto present = std::count_if(devices.begin(), devices.end(), [&](const DeviceEntry& each) {
    return each.name.kind == name.kind && !each.absent;
  });
  return {std::max(1, static_cast<int>(present)), entry == nullptr ? std::vector<Level>{} : entry->levels, devices};
}

const DeviceEntry* Inventory::find(const device::Name& name) const {
  const auto found = std::find_if(devices.begin(), devices.end(), [&](const auto& each) { return each.name == name; });
  return found == devices.end() ? nullptr : &*found;
}

std::int64_t Inventory::last_level_bytes() const {
  return levels.empty() ? hidden_last_level_bytes : levels.back().total();
}

std::optional<std::int64_t> Inventory::capacity(std::string_view level, int threads) const {
  const auto found = std::find_if(levels.begin(), levels.end(), [&](const Level& each) { return each.name == level; });
  if (found == levels.end() || threads < 1) return std::nullopt;
  const std::int64_t all = std::max(1, usable_threads);
  if (threads >= all) return found->total();
  const auto reached = (threads * found->instances + all - 1) / all;
  return found->bytes * std::clamp<std::int64_t>(reached, 1, std::max<std::int64_t>(1, found->instances));
}

std::optional<std::string> Inventory::level_of(std::int64_t working_set, int threads) const {
  if (working_set < 1) return std::nullopt;
  for (const auto& level : levels) {
    const auto bytes = capacity(level.name, threads);
    if (bytes && working_set <= *bytes) return level.name;
  }
  if (working_set / 4 >= last_level_bytes()) return "memory";
  return std::nullopt;
}

Inventory make_inventory(const device::cpu::Host& host) {
  return make_inventory(host, device::probe_cuda_driver());
}

Inventory make_inventory(const device::cpu::Host& host, const device::DriverProbe& driver) {
  Inventory inventory;
  inventory.usable_threads = std::max(1, host.usable_threads);
  inventory.levels = levels_of(host.caches);
  const auto reason = driver.cuda_version ? fmt::format("the CUDA device is not in this build (driver for CUDA {})",
                                                        *driver.cuda_version)
                                          : driver.reason;
  inventory.devices = {{{device::Kind::cpu, 0}, std::nullopt, host.memory_usable},
                       {{device::Kind::cuda, 0}, reason, 0},
                       {{device::Kind::ptx, 0}, "the reference machine is not in this build", 0}};
  return inventory;
}

}  // namespace ridge::bench
