// What the planner needs to know of the machine: how many threads, which memory levels, which devices, how much memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/device/device.hpp"

namespace ridge::device {
struct DriverProbe;
namespace cpu {
struct Host;
}
}  // namespace ridge::device
namespace ridge::gpus {
struct Survey;
}

namespace ridge::bench {

struct Level {
  std::string name;                                      // L1, L2, L3
  std::int64_t bytes = 0;                                // of one instance; of the smallest where they differ
  std::int64_t instances = 0;                            // distinct ones among the usable cores
  std::optional<std::int64_t> all_bytes = std::nullopt;  // of all instances where they differ; else bytes × instances

  [[nodiscard]] std::int64_t total() const { return all_bytes.value_or(bytes * instances); }
};

struct DeviceEntry {
  device::Name name;
  std::optional<std::string> absent;  // why it cannot be used; nothing when it can
  std::int64_t available_bytes = 0;
  std::vector<Level> levels = {};  // of a GPU; the CPU's are the inventory's
  std::string capability = {};     // of a GPU: "9.0"
};

struct Inventory {
  int usable_threads = 1;
  std::vector<Level> levels;  // smallest first; empty: the machine hides its caches
  std::vector<DeviceEntry> devices;

  // The inventory as work on that device sees it: a GPU's own levels in place of the CPU's, shared by all its threads;
  // what can be used several times ("all") are GPUs then.
  [[nodiscard]] Inventory seen_by(const device::Name& name) const;
  [[nodiscard]] const DeviceEntry* find(const device::Name& name) const;
  // All slices of the last level together; a documented default (256 MiB) when the caches are hidden.
  [[nodiscard]] std::int64_t last_level_bytes() const;
  // What `threads` threads together have of the level, in bytes; nothing for an unknown level or fewer than one thread.
  // Threads are assumed to fill one instance before the next: ceil(threads × instances / usable_threads) of them.
  [[nodiscard]] std::optional<std::int64_t> capacity(std::string_view level, int threads) const;
  // The level that a working set of that many bytes spread over `threads` threads sits in: L1 …, "memory" from 4 × the
  // last level on, nothing in between (part of it still hits) or when the caches are hidden and it is not large enough.
  [[nodiscard]] std::optional<std::string> level_of(std::int64_t working_set, int threads) const;
};

inline constexpr std::int64_t hidden_last_level_bytes = std::int64_t{256} << 20;

// The CPU as the host describes it; CUDA and reference devices with the reason for which they are not there.
Inventory make_inventory(const device::cpu::Host& host);
Inventory make_inventory(const device::cpu::Host& host, const device::DriverProbe& driver);
// The same with the GPUs of both surveys, real ones and reference ones.
Inventory make_inventory(const device::cpu::Host& host, const gpus::Survey& real, const gpus::Survey& reference);

}  // namespace ridge::bench
