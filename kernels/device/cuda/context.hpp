// A GPU made usable: the driver's table, the primary context, and errors with their call, status and device.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "kernels/device/cuda/driver.hpp"
#include "kernels/device/device.hpp"

namespace ridge::device::cuda {

// A driver call that went wrong: "cuLaunchKernel: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal …) on cuda:0".
struct StatusError : Error {
  StatusError(const std::string& text, CUresult which) : Error(text), status(which) {}
  CUresult status;
};

// Whether a status leaves its context unusable: every later call on the device fails until the process ends.
bool is_sticky(CUresult status);

// "cuInit: CUDA_ERROR_UNKNOWN (unknown error)"
std::string describe(const Driver& driver, const char* call, CUresult status);

// Retains the device's primary context while it lives. Thread-safe; make_current is per thread, as contexts are.
class Context {
 public:
  // `ordinal` counts as cuDeviceGet does; `name` is what errors call the device. StatusError.
  Context(std::shared_ptr<const Driver> driver, int ordinal, Name name);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] const Driver& driver() const { return *driver_; }
  [[nodiscard]] Name name() const { return name_; }
  [[nodiscard]] CUdevice device() const { return device_; }
  [[nodiscard]] CUcontext handle() const { return context_; }

  // Before any call that concerns this device. Error when an earlier sticky error made it unusable.
  void make_current() const;
  // Throws what a status other than CUDA_SUCCESS says; OutOfMemory is told apart by the callers that know the sizes.
  void check(CUresult status, const char* call) const;
  // Notes a status where throwing is not allowed: a sticky one still makes the device unusable.
  void note(CUresult status, const char* call) const noexcept;

 private:
  std::shared_ptr<const Driver> driver_;
  Name name_;
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
  mutable std::mutex mutex_;
  mutable std::string dead_;  // the sticky error; empty while usable
};

}  // namespace ridge::device::cuda
