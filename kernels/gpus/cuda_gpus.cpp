// Gpus in a build with CUDA: one driver's GPUs and the reference machine's, through the same device class.
#include <fmt/format.h>

#include "kernels/gpus/cuda_survey.hpp"
#include "kernels/gpus/gpus.hpp"
#include "kernels/ptx/driver/reference.hpp"

namespace ridge::gpus {

using device::Kind;
using device::Name;
namespace cuda = device::cuda;

struct Gpus::Parts {
  std::unique_ptr<cuda::Devices> real;  // null: none
  std::shared_ptr<const cuda::Nvml> nvml;
  ptx::ReferenceSettings settings;
  std::unique_ptr<ptx::Reference> machine;
  std::unique_ptr<cuda::Devices> modelled;
};

Gpus::Gpus(const Options& options) : parts_(std::make_unique<Parts>()) {
  auto loaded = cuda::load_driver();
  auto nvml = loaded.driver ? cuda::load_nvml() : cuda::LoadedNvml{nullptr, loaded.reason};
  parts_->nvml = nvml.nvml;
  if (loaded.driver) {
    try {
      parts_->real = std::make_unique<cuda::Devices>(loaded.driver, Kind::cuda, cuda::process_environment());
      survey_ = survey_devices(*parts_->real, Kind::cuda, nvml.nvml, nvml.reason);
      if (survey_.gpus.empty() && survey_.reason.empty()) survey_.reason = "the NVIDIA driver finds no GPU";
    } catch (const std::exception& error) {
      survey_.reason = error.what();
    }
  } else {
    survey_.reason = loaded.reason;
  }
  survey_.cuda = loaded.cuda_version;

  ptx::ReferenceSettings& settings = parts_->settings;
  settings.gpus = options.reference_gpus;
  settings.memory_bytes = options.reference_memory;
  settings.multiprocessors = options.reference_multiprocessors;
  settings.launch.threads = 0;
  parts_->machine = std::make_unique<ptx::Reference>(settings);
  const auto driver = parts_->machine->driver();
  driver->cuInit(0);
  parts_->modelled = std::make_unique<cuda::Devices>(driver, Kind::ptx, cuda::process_environment());
  reference_ = survey_devices(*parts_->modelled, Kind::ptx, nullptr, "the reference machine has no NVML");
}

Gpus::~Gpus() = default;

cuda::Device& Gpus::open(const Name& name) {
  if (name.kind == Kind::ptx) return parts_->modelled->open(name.index);
  if (name.kind != Kind::cuda) throw device::Error(fmt::format("{} is no GPU", name.text()));
  if (!parts_->real) throw device::Error(fmt::format("there is no device {}: {}", name.text(), survey_.reason));
  return parts_->real->open(name.index);
}

device::Device& Gpus::base(const Name& name) {
  return open(name);
}

Sample Gpus::sample(const Name& name) const {
  if (name.kind != Kind::cuda || !parts_->nvml) return {};
  for (const GpuFacts& f : survey_.gpus)
    if (f.name == name && f.nvml_missing.empty()) {
      const auto s = cuda::NvmlGpu(parts_->nvml, f.uuid, f.pci_address).sample();
      return {s.clock_hz, s.temperature_c, s.power_w, s.throttled, s.throttle_reason};
    }
  return {};
}

std::optional<double> Gpus::effective_clock(const Name& name) {
  return open(name).effective_clock();
}

std::optional<device::Counted> Gpus::count(const Name& name, const std::function<void()>& work) {
  if (name.kind != Kind::ptx) return std::nullopt;
  ptx::Reference& machine = *parts_->machine;
  ptx::LaunchOptions options = parts_->settings.launch;
  options.counts = true;
  machine.set_launch_options(options);
  machine.clear_notes();
  try {
    work();
  } catch (...) {
    machine.set_launch_options(parts_->settings.launch);
    throw;
  }
  machine.set_launch_options(parts_->settings.launch);
  return machine.counted();
}

std::vector<std::string> Gpus::notes(const Name& name) const {
  const auto* const devices = name.kind == Kind::cuda ? parts_->real.get() : nullptr;
  const cuda::Device* const device = devices == nullptr ? nullptr : devices->opened(name.index);
  return device == nullptr ? std::vector<std::string>{} : device->notes();
}

}  // namespace ridge::gpus
