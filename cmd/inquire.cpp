// Asks the host and the driver, and opens devices.
#include "cmd/inquire.hpp"

#include <fmt/format.h>

#include "bench/harness/machine.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::cmd {

Surveyed::Surveyed()
    : host_(device::cpu::read_host()),
      driver_(device::probe_cuda_driver()),
      inventory_(bench::make_inventory(host_, driver_)) {}

Surveyed::~Surveyed() = default;

record::Machine Surveyed::machine() const {
  return bench::make_machine(host_, driver_);
}

bench::OpenedDevice Surveyed::open(const device::Name& name) {
  if (name.kind != device::Kind::cpu) throw device::Error(fmt::format("there is no device {}", name.text()));
  if (!cpu_) cpu_ = device::cpu::make_device();
  return {cpu_.get(), cpu_.get(), nullptr};
}

}  // namespace ridge::cmd
