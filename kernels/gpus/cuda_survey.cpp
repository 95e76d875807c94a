// Asking every GPU of a driver for its facts, and NVML for what the driver does not tell.
#include "kernels/gpus/cuda_survey.hpp"

#include <algorithm>
#include <array>

namespace ridge::gpus {
namespace {

using device::cuda::Nvml;
using device::cuda::NvmlFacts;
using device::cuda::Properties;

GpuFacts facts_of(const Properties& p, const device::Name& name) {
  GpuFacts f;
  f.name = name;
  f.model = p.model;
  f.uuid = p.uuid;
  f.pci_address = p.pci_address;
  f.capability = p.capability();
  f.memory_bytes = f.memory_free = p.memory_bytes;
  f.multiprocessors = p.multiprocessors;
  f.l2_bytes = p.l2_bytes;
  f.clock_max_hz = p.clock_hz;
  f.memory_clock_max_hz = p.memory_clock_hz;
  f.ecc = p.ecc;
  f.compute_mode = p.compute_mode;
  f.numa_node = p.numa_node;
  return f;
}

void add_nvml(GpuFacts& f, const NvmlFacts& n) {
  const auto take = [](auto& into, const auto& from) {
    if (from) into = from;
  };
  if (n.memory_free) f.memory_free = std::min(*n.memory_free, f.memory_bytes);
  take(f.clock_max_hz, n.clock_max_hz);
  take(f.memory_clock_max_hz, n.memory_clock_max_hz);
  f.link_generation = n.link_generation;
  f.link_generation_max = n.link_generation_max;
  f.link_width = n.link_width;
  f.link_width_max = n.link_width_max;
  f.power_limit_w = n.power_limit_w;
  f.power_limit_default_w = n.power_limit_default_w;
  take(f.ecc, n.ecc);
  f.mig = n.mig;
  f.persistence = n.persistence;
  take(f.compute_mode, n.compute_mode);
  f.nvlinks = n.nvlinks;
  // A slice is a device of its own, named "NVIDIA A100 MIG 1g.5gb".
  const auto& model = n.name.value_or(f.model);
  if (const auto at = model.find(" MIG "); at != std::string::npos) f.mig_slice = model.substr(at + 5);
}

}  // namespace

Survey survey_devices(const device::cuda::Devices& devices, device::Kind kind, const std::shared_ptr<const Nvml>& nvml,
                      const std::string& nvml_reason) {
  Survey survey;
  std::vector<std::vector<std::string>> remotes;
  for (int i = 0; i < devices.count(); ++i) {
    try {
      survey.gpus.push_back(facts_of(devices.properties(i), {kind, i}));
    } catch (const std::exception& error) {
      survey.reason = error.what();
      break;
    }
    GpuFacts& f = survey.gpus.back();
    remotes.emplace_back();
    f.nvml_missing = nvml_reason;
    if (!nvml) continue;
    try {
      const auto facts = device::cuda::NvmlGpu(nvml, f.uuid, f.pci_address).facts();
      add_nvml(f, facts);
      remotes.back() = facts.nvlink_remotes;
    } catch (const std::exception& error) {
      f.nvml_missing = error.what();
    }
  }
  const int found = static_cast<int>(survey.gpus.size());
  for (int i = 0; i < found; ++i)
    for (int j = 0; j < found; ++j) {
      if (i == j) continue;
      GpuFacts& f = survey.gpus[static_cast<std::size_t>(i)];
      const auto& far = remotes[static_cast<std::size_t>(i)];
      Peer peer{{kind, j}, devices.can_access(i, j), std::nullopt};
      const auto address = device::cuda::normal_pci_address(survey.gpus[static_cast<std::size_t>(j)].pci_address);
      const auto links = std::count(far.begin(), far.end(), address);
      if (links > 0) peer.nvlinks = static_cast<int>(links);  // through a switch the far end is the switch
      f.peers.push_back(peer);
    }
  std::array<char, 96> text{};
  if (nvml && nvml->driver_version && nvml->driver_version(text.data(), static_cast<unsigned>(text.size())) == 0)
    survey.driver = text.data();
  if (nvml && nvml->nvml_version && nvml->nvml_version(text.data(), static_cast<unsigned>(text.size())) == 0)
    survey.libraries["nvml"] = text.data();
  return survey;
}

}  // namespace ridge::gpus
