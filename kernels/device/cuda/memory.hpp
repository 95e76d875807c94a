// Memory that a GPU can reach: its own, and pinned host memory. Owners; they free what they took.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/device/cuda/context.hpp"

namespace ridge::device::cuda {

// Free and total bytes of the device's memory now.
struct MemoryState {
  std::int64_t free = 0;
  std::int64_t total = 0;
};
MemoryState memory_state(const Context& context);

class DeviceBuffer {
 public:
  // OutOfMemory with what was free.
  DeviceBuffer(std::shared_ptr<const Context> context, std::int64_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&&) = delete;

  // A device address, for kernels and copies; reading it on the host is a fault.
  template <class T = void>
  [[nodiscard]] T* as() const {
    return reinterpret_cast<T*>(address_);
  }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<const Context> context_;
  CUdeviceptr address_ = 0;
  std::int64_t bytes_ = 0;
};

// Host memory that stays where it is, mapped into the GPU's address space.
class PinnedBuffer {
 public:
  PinnedBuffer(std::shared_ptr<const Context> context, std::int64_t bytes);
  ~PinnedBuffer();
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  template <class T = void>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data_);
  }
  template <class T = void>
  [[nodiscard]] T* on_device() const {
    return reinterpret_cast<T*>(device_address_);
  }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<const Context> context_;
  void* data_ = nullptr;
  CUdeviceptr device_address_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace ridge::device::cuda
