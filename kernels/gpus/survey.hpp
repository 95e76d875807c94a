// What is known about the GPUs of a machine, as plain facts. Everything may be absent; nothing is guessed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/device/device.hpp"

namespace ridge::gpus {

struct Peer {
  device::Name name;
  bool direct = false;         // reads and writes its memory without the host
  std::optional<int> nvlinks;  // active links between the two; absent where NVML does not tell
};

struct GpuFacts {
  device::Name name;
  std::string model;
  std::string uuid;
  std::string pci_address;
  std::string capability;  // "9.0"
  std::int64_t memory_bytes = 0;
  std::int64_t memory_free = 0;  // now; without NVML, all of it
  int multiprocessors = 0;
  std::int64_t l2_bytes = 0;  // 0: not told
  std::optional<double> clock_max_hz;
  std::optional<double> memory_clock_max_hz;
  std::optional<int> link_generation;      // PCI Express, now
  std::optional<int> link_generation_max;  // of GPU and slot
  std::optional<int> link_width;
  std::optional<int> link_width_max;
  std::optional<double> power_limit_w;
  std::optional<double> power_limit_default_w;
  std::optional<bool> ecc;
  std::optional<bool> mig;
  std::optional<std::string> mig_slice;  // its profile, when the GPU is one
  std::optional<bool> persistence;
  std::optional<std::string> compute_mode;
  std::optional<int> numa_node;
  std::optional<int> nvlinks;  // active
  std::vector<Peer> peers;
  std::string nvml_missing;  // why what only NVML tells is absent; empty when it is there
};

struct Survey {
  std::vector<GpuFacts> gpus;
  std::string reason;                            // why there are none
  std::optional<std::string> driver;             // "580.65.06"
  std::optional<std::string> cuda;               // the newest CUDA that the driver supports: "13.0"
  std::map<std::string, std::string> libraries;  // name → version of what was opened
};

// How a GPU is at one moment.
struct Sample {
  std::optional<double> clock_hz;
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::optional<bool> throttled;
  std::optional<std::string> throttle_reason;
};

}  // namespace ridge::gpus
