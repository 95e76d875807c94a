// Sorting what is known about GPUs into identity, software and incidental.
#include <fmt/format.h>

#include "bench/harness/machine.hpp"

namespace ridge::bench {
namespace {

void add(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}
void add_switch(std::string& list, const char* name, const std::optional<bool>& on) {
  if (on) add(list, fmt::format("{} {}", name, *on ? "on" : "off"));
}

std::string settings_of(const gpus::GpuFacts& gpu) {
  std::string text = fmt::format("{} SMs", gpu.multiprocessors);
  if (gpu.clock_max_hz) add(text, fmt::format("SM clock up to {:.0f} MHz", *gpu.clock_max_hz / 1e6));
  if (gpu.memory_clock_max_hz) add(text, fmt::format("memory clock {:.0f} MHz", *gpu.memory_clock_max_hz / 1e6));
  if (gpu.power_limit_w) {
    std::string limit = fmt::format("power limit {:.0f} W", *gpu.power_limit_w);
    if (gpu.power_limit_default_w && *gpu.power_limit_default_w != *gpu.power_limit_w)
      limit += fmt::format(" (default {:.0f} W)", *gpu.power_limit_default_w);
    add(text, limit);
  }
  add_switch(text, "ECC", gpu.ecc);
  add_switch(text, "MIG", gpu.mig);
  add_switch(text, "persistence", gpu.persistence);
  if (gpu.compute_mode) add(text, "compute mode " + *gpu.compute_mode);
  if (gpu.nvlinks) add(text, fmt::format("{} NVLinks active", *gpu.nvlinks));
  return text;
}

// "cuda:1 NVLink ×18, cuda:2 direct, cuda:3 through the host"
std::string peers_of(const gpus::GpuFacts& gpu) {
  std::string text;
  for (const gpus::Peer& peer : gpu.peers) {
    const std::string name = peer.name.text();
    if (peer.nvlinks)
      add(text, fmt::format("{} NVLink x{}", name, *peer.nvlinks));
    else if (peer.direct)
      add(text,
          name + (gpu.nvlinks.value_or(0) > 0 ? " direct (NVLink switch or PCI Express)" : " direct (PCI Express)"));
    else
      add(text, name + " through the host");
  }
  return text;
}

std::string incidental_of(const gpus::GpuFacts& gpu) {
  std::string text = gpu.uuid;
  if (!gpu.pci_address.empty()) add(text, gpu.pci_address);
  if (gpu.link_generation && gpu.link_width)
    add(text, fmt::format("link now generation {} x{}", *gpu.link_generation, *gpu.link_width));
  if (gpu.numa_node) add(text, fmt::format("NUMA node {}", *gpu.numa_node));
  if (!gpu.nvml_missing.empty()) add(text, gpu.nvml_missing);
  return text;
}

}  // namespace

void add_gpus(record::Machine& machine, const gpus::Survey& survey) {
  for (const gpus::GpuFacts& gpu : survey.gpus) {
    machine.identity.gpus.push_back(
        {gpu.model, gpu.memory_bytes, gpu.capability, gpu.mig_slice, gpu.link_generation_max, gpu.link_width_max});
    const std::string name = gpu.name.text();
    machine.software.gpu_settings[name] = settings_of(gpu);
    if (!gpu.peers.empty()) machine.software.gpu_settings[name + " peers"] = peers_of(gpu);
    machine.incidental.gpus[name] = incidental_of(gpu);
  }
  if (survey.driver) machine.software.driver = survey.driver;
  if (survey.cuda) machine.software.cuda = survey.cuda;
  for (const auto& [name, version] : survey.libraries) machine.software.libraries[name] = version;
}

}  // namespace ridge::bench
