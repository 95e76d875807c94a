// Sockets and caches through hwloc, which also finds them where the kernel's files are masked.
#include <hwloc.h>

#include <memory>

#include "kernels/device/cpu/host_topology.hpp"

namespace ridge::device::cpu {
namespace {

using Handle = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

constexpr hwloc_obj_type_t cache_types[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE,
                                            HWLOC_OBJ_L5CACHE};

// `thorough` lets hwloc ask each CPU itself (CPUID); it moves the calling thread around for that and back again.
Handle load(const std::string& synthetic, bool thorough) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return {nullptr, &hwloc_topology_destroy};
  Handle topology(raw, &hwloc_topology_destroy);
  unsigned long flags = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED;
#if HWLOC_API_VERSION >= 0x00020500
  if (!thorough) flags |= HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING;
#endif
  bool good = hwloc_topology_set_flags(raw, flags) == 0;
  good = good && hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE) == 0;
  good = good && hwloc_topology_set_type_filter(raw, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL) == 0;
  for (const auto type : cache_types)
    good = good && hwloc_topology_set_type_filter(raw, type, HWLOC_TYPE_FILTER_KEEP_ALL) == 0;
  if (good && !synthetic.empty()) good = hwloc_topology_set_synthetic(raw, synthetic.c_str()) == 0;
  good = good && hwloc_topology_load(raw) == 0;
  if (good && synthetic.empty()) good = hwloc_topology_is_thissystem(raw) != 0;
  if (!good) topology.reset();
  return topology;
}

std::vector<CacheInstance> caches_of(hwloc_topology_t topology, const std::vector<int>& usable) {
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> mine(hwloc_bitmap_alloc(), &hwloc_bitmap_free);
  for (const int cpu : usable) hwloc_bitmap_set(mine.get(), static_cast<unsigned>(cpu));
  std::vector<CacheInstance> instances;
  for (const auto type : cache_types) {
    for (hwloc_obj_t cache = nullptr; (cache = hwloc_get_next_obj_by_type(topology, type, cache)) != nullptr;) {
      const auto& facts = cache->attr->cache;
      if (facts.size == 0 || hwloc_bitmap_intersects(cache->cpuset, mine.get()) == 0) continue;
      CacheInstance instance{static_cast<int>(facts.depth),
                             facts.type == HWLOC_OBJ_CACHE_DATA ? "data" : "unified",
                             static_cast<std::int64_t>(facts.size),
                             std::nullopt,
                             {}};
      if (facts.linesize > 0) instance.line = facts.linesize;
      for (int cpu = hwloc_bitmap_first(cache->cpuset); cpu >= 0; cpu = hwloc_bitmap_next(cache->cpuset, cpu))
        instance.cpus.push_back(cpu);
      instances.push_back(std::move(instance));
    }
  }
  return instances;
}

}  // namespace

std::optional<Topology> topology_from_hwloc(const std::vector<int>& usable, const std::string& synthetic) {
  for (const bool thorough : {false, true}) {
    const auto topology = load(synthetic, thorough);
    if (!topology) return std::nullopt;
    auto instances = caches_of(topology.get(), usable);
    if (instances.empty() && !thorough) continue;
    Topology result;
    const int packages = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PACKAGE);
    if (packages > 0) result.sockets = packages;
    result.caches = grouped(std::move(instances));
    return result;
  }
  return std::nullopt;
}

}  // namespace ridge::device::cpu
