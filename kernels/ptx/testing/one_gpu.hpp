// One reference GPU as a device, for tests of what runs on one: whatever order of warps and blocks, with its counts.
#pragma once

#include <memory>
#include <string>

#include "kernels/device/cuda/device.hpp"
#include "kernels/ptx/driver/reference.hpp"

namespace ridge::ptx::testing {

class OneGpu {
 public:
  explicit OneGpu(int multiprocessors = 2, std::uint64_t step_limit = LaunchOptions{}.step_limit) {
    settings_.multiprocessors = multiprocessors;
    settings_.launch.counts = true;
    settings_.launch.step_limit = step_limit;
    reference_ = std::make_unique<Reference>(settings_);
    driver_ = reference_->driver();
    driver_->cuInit(0);
    devices_ = std::make_unique<device::cuda::Devices>(driver_, device::Kind::ptx,
                                                       [](const char*) -> const char* { return nullptr; });
  }

  device::cuda::Device& device() { return devices_->open(0); }
  Reference& reference() { return *reference_; }

  void order(Order order) {
    settings_.launch.order = order;
    reference_->set_launch_options(settings_.launch);
  }

  // What `work`, which may leave it queued on the device's stream, was counted to do.
  template <class Work>
  device::Counted count(const Work& work) {
    auto& stream = device().stream();  // whose making fills a buffer
    reference_->clear_notes();
    work();
    stream.synchronize();
    return reference_->counted();
  }

 private:
  ReferenceSettings settings_;
  std::unique_ptr<Reference> reference_;
  std::shared_ptr<const device::cuda::Driver> driver_;
  std::unique_ptr<device::cuda::Devices> devices_;
};

// A verdict for a campaign: what `judge(gpu, image)` says of the mutant on a GPU of its own; an exception is a fault,
// such as more steps in a launch than the limit.
template <class Judge>
std::string judged(const std::string& ptx, const Judge& judge, int multiprocessors = 2,
                   std::uint64_t step_limit = 1'000'000) {
  const device::cuda::Image image{"mutant", reinterpret_cast<const unsigned char*>(ptx.c_str()), nullptr, nullptr,
                                  nullptr};
  try {
    OneGpu gpu(multiprocessors, step_limit);
    return judge(gpu, image);
  } catch (const std::exception&) {
    return "fault";
  }
}

}  // namespace ridge::ptx::testing
