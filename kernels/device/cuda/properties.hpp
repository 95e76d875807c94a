// What the driver says about a GPU. A fact that it does not tell is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kernels/device/cuda/driver.hpp"

namespace ridge::device::cuda {

struct Properties {
  std::string model;        // "NVIDIA H200"
  std::string uuid;         // "GPU-…", or "MIG-…" for a slice; the key to NVML
  std::string pci_address;  // "0000:17:00.0"
  int capability_major = 0;
  int capability_minor = 0;
  std::int64_t memory_bytes = 0;
  int multiprocessors = 0;
  std::int64_t l2_bytes = 0;                // 0: not told
  std::int64_t shared_bytes_per_block = 0;  // with opt-in
  std::int64_t shared_bytes_per_processor = 0;
  int registers_per_processor = 0;
  int threads_per_processor = 0;
  int threads_per_block = 0;
  int warp_size = 32;
  int copy_engines = 0;
  std::optional<double> clock_hz;         // at most
  std::optional<double> memory_clock_hz;  // at most
  std::optional<int> memory_bus_bits;
  std::optional<bool> ecc;
  std::optional<std::string> compute_mode;  // "default", "exclusive process", "prohibited"
  std::optional<int> numa_node;             // of the host memory nearest to it
  bool integrated = false;

  [[nodiscard]] std::string capability() const;  // "9.0"
  // 2 × memory clock × bus width / 8, as data moves on both edges; nothing where either is not told.
  [[nodiscard]] std::optional<double> memory_bandwidth() const;
};

// Needs no context. StatusError-like std::runtime_error when the driver does not answer the most basic of these.
Properties read_properties(const Driver& driver, int ordinal);

}  // namespace ridge::device::cuda
