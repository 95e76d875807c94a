// Gpus in a build without CUDA: there are none, and the reason is the build.
#include "kernels/gpus/gpus.hpp"

#if !RIDGE_WITH_CUDA
#include "kernels/device/driver_probe.hpp"

namespace ridge::gpus {

struct Gpus::Parts {};

Gpus::Gpus(const Options&) {
  survey_.reason = "this build has no CUDA";
  reference_.reason = "this build has no CUDA kernels, which the reference machine would execute";
  survey_.cuda = device::probe_cuda_driver().cuda_version;
}
Gpus::~Gpus() = default;

device::cuda::Device& Gpus::open(const device::Name& name) {
  throw device::Error("there is no device " + name.text() + ": " + survey_.reason);
}
device::Device& Gpus::base(const device::Name& name) {
  throw device::Error("there is no device " + name.text() + ": " + survey_.reason);
}
Sample Gpus::sample(const device::Name&) const {
  return {};
}
std::optional<double> Gpus::effective_clock(const device::Name&) {
  return std::nullopt;
}
std::optional<device::Counted> Gpus::count(const device::Name&, const std::function<void()>&) {
  return std::nullopt;
}
std::vector<std::string> Gpus::notes(const device::Name&) const {
  return {};
}

}  // namespace ridge::gpus
#endif
