// Looks at the machine once for a command: its facts, what can be planned on it, and the devices that can be opened.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "bench/harness/engine.hpp"
#include "bench/harness/inventory.hpp"
#include "kernels/device/cpu/host.hpp"
#include "kernels/gpus/gpus.hpp"
#include "reports/record/machine.hpp"

namespace ridge::cmd {

class Surveyed {
 public:
  Surveyed();
  ~Surveyed();
  Surveyed(const Surveyed&) = delete;
  Surveyed& operator=(const Surveyed&) = delete;
  [[nodiscard]] const bench::Inventory& inventory() const { return inventory_; }
  [[nodiscard]] const device::cpu::Host& host() const { return host_; }
  [[nodiscard]] record::Machine machine() const;
  // The GPUs of the machine and the reference ones.
  [[nodiscard]] gpus::Gpus& gpus() { return gpus_; }
  [[nodiscard]] const gpus::Gpus& gpus() const { return gpus_; }
  // Opens a device at first use and keeps it. device::Error when it cannot be.
  bench::OpenedDevice open(const device::Name& name);

 private:
  device::cpu::Host host_;
  gpus::Gpus gpus_;
  bench::Inventory inventory_;
  std::unique_ptr<device::cpu::Device> cpu_;
};

}  // namespace ridge::cmd
