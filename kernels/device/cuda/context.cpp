// Primary contexts, and what becomes of a driver's status.
#include "kernels/device/cuda/context.hpp"

#include <fmt/format.h>

namespace ridge::device::cuda {

bool is_sticky(CUresult status) {
  switch (status) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
      return true;
    default:
      return false;
  }
}

std::string describe(const Driver& driver, const char* call, CUresult status) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver.cuGetErrorName(status, &name) != CUDA_SUCCESS || name == nullptr)
    return fmt::format("{}: status {}", call, static_cast<int>(status));
  if (driver.cuGetErrorString(status, &text) != CUDA_SUCCESS || text == nullptr)
    return fmt::format("{}: {}", call, name);
  return fmt::format("{}: {} ({})", call, name, text);
}

Context::Context(std::shared_ptr<const Driver> driver, int ordinal, Name name)
    : driver_(std::move(driver)), name_(name) {
  check(driver_->cuDeviceGet(&device_, ordinal), "cuDeviceGet");
  check(driver_->cuDevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain");
}

Context::~Context() {
  driver_->cuDevicePrimaryCtxRelease(device_);
}

void Context::make_current() const {
  {
    const std::lock_guard lock(mutex_);
    if (!dead_.empty()) throw Error(fmt::format("{} is unusable since an earlier error: {}", name_.text(), dead_));
  }
  check(driver_->cuCtxSetCurrent(context_), "cuCtxSetCurrent");
}

void Context::check(CUresult status, const char* call) const {
  if (status == CUDA_SUCCESS) return;
  note(status, call);
  throw StatusError(fmt::format("{} on {}", describe(*driver_, call, status), name_.text()), status);
}

void Context::note(CUresult status, const char* call) const noexcept {
  if (!is_sticky(status)) return;
  try {
    const std::lock_guard lock(mutex_);
    if (dead_.empty()) dead_ = describe(*driver_, call, status);
  } catch (...) {  // no memory for the text
  }
}

}  // namespace ridge::device::cuda
