// For tests: two benchmarks asked of a machine with two threads, three caches and no GPU.
#pragma once

#include "bench/harness/fakes.hpp"
#include "bench/harness/plan.hpp"

namespace ridge::bench::fake {

inline constexpr std::int64_t MiB = 1 << 20;

struct Asked {
  Asked() {
    inventory.usable_threads = 2;
    inventory.levels = {{"L1", 32 << 10, 2}, {"L2", 512 << 10, 2}, {"L3", 32 * MiB, 1}};
    inventory.devices = {{{device::Kind::cpu, 0}, std::nullopt, 1000 * MiB},
                         {{device::Kind::cuda, 0}, "libcuda.so.1 not found", 0}};
    registry.push_back(definition("copy", script));
    registry.push_back(definition("triad", script));
    registry[0].axes.push_back({"dtype", "", "type", AxisKind::choice, "f64", {"f32", "f64"}});
    registry[1].buffers = [](const record::Point& p) { return std::vector<std::int64_t>(3, p.integer("size")); };
  }
  Plan plan(std::vector<std::string> names, std::map<std::string, std::string> axes = {}) {
    return bench::plan(registry, {{{std::move(names), std::move(axes)}}, devices, by_suite}, inventory, settings);
  }
  Script script;
  Registry registry;
  Inventory inventory;
  Settings settings;
  std::vector<device::Name> devices{{device::Kind::cpu, 0}};
  bool by_suite = false;
};

}  // namespace ridge::bench::fake
