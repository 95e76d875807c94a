// The planner's view of GPUs: which there are, how much memory they have left, their L2 as the level before memory.
#include <algorithm>

#include "bench/harness/inventory.hpp"
#include "kernels/device/cpu/host.hpp"
#include "kernels/device/driver_probe.hpp"
#include "kernels/gpus/survey.hpp"

namespace ridge::bench {
namespace {

// Kept free for modules, the flush buffer (2 × L2) and what the driver takes itself.
std::int64_t reserve_of(std::int64_t free) {
  constexpr std::int64_t most = std::int64_t{768} << 20;
  return std::min(free / 4, most);
}

void add(Inventory& inventory, device::Kind kind, const gpus::Survey& survey) {
  if (survey.gpus.empty()) inventory.devices.push_back({{kind, 0}, survey.reason, 0, {}});
  for (const gpus::GpuFacts& gpu : survey.gpus) {
    DeviceEntry entry{gpu.name, std::nullopt, gpu.memory_free - reserve_of(gpu.memory_free), {}};
    entry.capability = gpu.capability;
    if (gpu.l2_bytes > 0) entry.levels.push_back({"L2", gpu.l2_bytes, 1});
    if (gpu.compute_mode == "prohibited") entry.absent = "its compute mode is prohibited";
    inventory.devices.push_back(std::move(entry));
  }
}

}  // namespace

Inventory make_inventory(const device::cpu::Host& host, const gpus::Survey& real, const gpus::Survey& reference) {
  Inventory inventory = make_inventory(host, device::DriverProbe{});
  std::erase_if(inventory.devices, [](const DeviceEntry& entry) { return entry.name.kind != device::Kind::cpu; });
  add(inventory, device::Kind::cuda, real);
  add(inventory, device::Kind::ptx, reference);
  return inventory;
}

}  // namespace ridge::bench
