// What the planner needs to know of the machine: how many threads, which memory levels, which devices, how much memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/device/device.hpp"

namespace ridge::bench {

struct Level {
  std::string name;            // L1, L2, L3
  std::int64_t bytes = 0;      // of one instance
  std::int64_t instances = 0;  // distinct ones among the usable cores
};

struct DeviceEntry {
  device::Name name;
  std::optional<std::string> absent;  // why it cannot be used; nothing when it can
  std::int64_t available_bytes = 0;
};

struct Inventory {
  int usable_threads = 1;
  std::vector<Level> levels;  // smallest first; empty: the machine hides its caches
  std::vector<DeviceEntry> devices;

  [[nodiscard]] const DeviceEntry* find(const device::Name& name) const;
  // All slices of the last level together; a documented default (256 MiB) when the caches are hidden.
  [[nodiscard]] std::int64_t last_level_bytes() const;
  // What `threads` threads together have of the level, in bytes; nothing for an unknown level.
  [[nodiscard]] std::optional<std::int64_t> capacity(std::string_view level, int threads) const;
  // The level that a working set of that many bytes spread over `threads` threads sits in: L1 …, "memory" from 4 × the
  // last level on, nothing in between (part of it still hits) or when the caches are hidden and it is not large enough.
  [[nodiscard]] std::optional<std::string> level_of(std::int64_t working_set, int threads) const;
};

}  // namespace ridge::bench
