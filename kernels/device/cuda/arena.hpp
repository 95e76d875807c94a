// Device memory taken once per run and lent to cases.
#pragma once

#include <memory>
#include <vector>

#include "kernels/device/cuda/memory.hpp"

namespace ridge::device::cuda {

// One allocation, cut into aligned and staggered pieces.
class PooledArena : public device::Arena {
 public:
  PooledArena(std::shared_ptr<const Context> context, std::int64_t bytes);
  Span borrow(std::int64_t bytes) override;
  void reset() override { used_ = 0; }
  [[nodiscard]] std::int64_t capacity() const override { return memory_.bytes(); }

 private:
  DeviceBuffer memory_;
  std::int64_t used_ = 0;
};

// One allocation per borrow, so that the reference machine sees every buffer's exact end and every byte that nobody
// wrote.
class ExactArena : public device::Arena {
 public:
  ExactArena(std::shared_ptr<const Context> context, std::int64_t bytes)
      : context_(std::move(context)), capacity_(bytes) {}
  Span borrow(std::int64_t bytes) override;
  void reset() override;
  [[nodiscard]] std::int64_t capacity() const override { return capacity_; }

 private:
  std::shared_ptr<const Context> context_;
  std::int64_t capacity_;
  std::int64_t used_ = 0;
  std::vector<DeviceBuffer> buffers_;
};

}  // namespace ridge::device::cuda
