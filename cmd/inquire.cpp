// Asks the host and the driver, and opens devices.
#include "cmd/inquire.hpp"

#include "bench/harness/machine.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::cmd {

Surveyed::Surveyed()
    : host_(device::cpu::read_host()), inventory_(bench::make_inventory(host_, gpus_.survey(), gpus_.reference())) {}

Surveyed::~Surveyed() = default;

record::Machine Surveyed::machine() const {
  record::Machine machine = bench::make_machine(host_);
  bench::add_gpus(machine, gpus_.survey());
  return machine;
}

bench::OpenedDevice Surveyed::open(const device::Name& name) {
  if (name.kind != device::Kind::cpu) return {&gpus_.base(name), nullptr, &gpus_.open(name)};
  if (!cpu_) cpu_ = device::cpu::make_device();
  return {cpu_.get(), cpu_.get(), nullptr};
}

}  // namespace ridge::cmd
