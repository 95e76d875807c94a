// What NVML knows of one GPU that the CUDA driver does not tell: links, clocks, power, heat, modes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/device/cuda/nvml.hpp"

namespace ridge::device::cuda {

// A fact that NVML does not support or may not tell is absent.
struct NvmlFacts {
  std::optional<std::string> name;
  std::optional<std::int64_t> memory_free;  // bytes, now
  std::optional<int> link_generation;       // now: an idle link may be slower than it can be
  std::optional<int> link_generation_max;   // of GPU and slot together
  std::optional<int> link_width;
  std::optional<int> link_width_max;
  std::optional<double> clock_max_hz;
  std::optional<double> memory_clock_max_hz;
  std::optional<double> power_limit_w;
  std::optional<double> power_limit_default_w;
  std::optional<bool> ecc;
  std::optional<bool> mig;
  std::optional<bool> persistence;
  std::optional<std::string> compute_mode;
  std::optional<int> nvlinks;               // active ones; absent when the GPU has none
  std::vector<std::string> nvlink_remotes;  // PCI address of the far end of each, where told
};

// How a GPU is at this moment.
struct NvmlSample {
  std::optional<double> clock_hz;
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::optional<bool> throttled;  // clocks held down by heat or power; idling and settings do not count
  std::optional<std::string> throttle_reason;
};

// One GPU in NVML, found by UUID or PCI address and by nothing else: NVML's order is not CUDA's.
class NvmlGpu {
 public:
  // std::runtime_error when NVML does not find it under either: "GPU is lost", "Not Found".
  NvmlGpu(std::shared_ptr<const Nvml> nvml, const std::string& uuid, const std::string& pci_address);
  [[nodiscard]] NvmlFacts facts() const;
  // std::runtime_error when the GPU is lost.
  [[nodiscard]] NvmlSample sample() const;

 private:
  std::shared_ptr<const Nvml> nvml_;
  nvml::Handle handle_ = nullptr;
};

// The bits of nvmlClocksEventReasons that hold a busy GPU's clocks down, in words: "power cap, hardware thermal
// slowdown". Empty for none.
std::string throttle_text(std::uint64_t reasons);

// "0000:17:00.0" of the forms that CUDA ("0000:17:00.0") and NVML ("00000000:17:00.0") write.
std::string normal_pci_address(const std::string& address);

}  // namespace ridge::device::cuda
