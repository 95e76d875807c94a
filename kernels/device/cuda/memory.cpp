// Taking and freeing memory through the driver.
#include "kernels/device/cuda/memory.hpp"

#include <optional>
#include <utility>

namespace ridge::device::cuda {

MemoryState memory_state(const Context& context) {
  context.make_current();
  std::size_t free = 0;
  std::size_t total = 0;
  context.check(context.driver().cuMemGetInfo(&free, &total), "cuMemGetInfo");
  return {static_cast<std::int64_t>(free), static_cast<std::int64_t>(total)};
}

DeviceBuffer::DeviceBuffer(std::shared_ptr<const Context> context, std::int64_t bytes)
    : context_(std::move(context)), bytes_(bytes) {
  context_->make_current();
  const CUresult status = context_->driver().cuMemAlloc(&address_, static_cast<std::size_t>(bytes));
  if (status == CUDA_ERROR_OUT_OF_MEMORY) {
    std::optional<std::int64_t> free;
    try {
      free = memory_state(*context_).free;
    } catch (const StatusError&) {  // not the reason: that it is used up counts, also where how much is left is unknown
    }
    if (free) throw OutOfMemory(bytes, *free);
  }
  context_->check(status, "cuMemAlloc");
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : context_(other.context_), address_(std::exchange(other.address_, 0)), bytes_(other.bytes_) {}

DeviceBuffer::~DeviceBuffer() {
  if (address_ == 0) return;
  const Driver& driver = context_->driver();
  context_->note(driver.cuCtxSetCurrent(context_->handle()), "cuCtxSetCurrent");
  context_->note(driver.cuMemFree(address_), "cuMemFree");
}

PinnedBuffer::PinnedBuffer(std::shared_ptr<const Context> context, std::int64_t bytes)
    : context_(std::move(context)), bytes_(bytes) {
  context_->make_current();
  const Driver& driver = context_->driver();
  context_->check(driver.cuMemHostAlloc(&data_, static_cast<std::size_t>(bytes),
                                        CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
                  "cuMemHostAlloc");
  const CUresult status = driver.cuMemHostGetDevicePointer(&device_address_, data_, 0);
  if (status == CUDA_SUCCESS) return;
  context_->note(driver.cuMemFreeHost(data_), "cuMemFreeHost");
  context_->check(status, "cuMemHostGetDevicePointer");
}

PinnedBuffer::~PinnedBuffer() {
  const Driver& driver = context_->driver();
  context_->note(driver.cuCtxSetCurrent(context_->handle()), "cuCtxSetCurrent");
  context_->note(driver.cuMemFreeHost(data_), "cuMemFreeHost");
}

}  // namespace ridge::device::cuda
