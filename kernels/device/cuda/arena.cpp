// Lending device memory.
#include "kernels/device/cuda/arena.hpp"

#include <algorithm>

namespace ridge::device::cuda {

PooledArena::PooledArena(std::shared_ptr<const Context> context, std::int64_t bytes)
    : memory_(std::move(context), std::max<std::int64_t>(bytes, 1)) {}

Span PooledArena::borrow(std::int64_t bytes) {
  const std::int64_t cost = borrow_cost(bytes);
  if (cost > capacity() - used_) throw OutOfMemory(bytes, capacity() - used_);
  Span span{memory_.as<std::byte>() + used_, bytes};
  used_ += cost;
  return span;
}

Span ExactArena::borrow(std::int64_t bytes) {
  const std::int64_t cost = borrow_cost(bytes);
  if (cost > capacity_ - used_) throw OutOfMemory(bytes, capacity_ - used_);
  buffers_.emplace_back(context_, std::max<std::int64_t>(bytes, 1));
  used_ += cost;
  return {buffers_.back().as<std::byte>(), bytes};
}

void ExactArena::reset() {
  buffers_.clear();
  used_ = 0;
}

}  // namespace ridge::device::cuda
