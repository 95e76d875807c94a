// Emptying a GPU's L2 cache of what a benchmark left in it.
#pragma once

#include <memory>

#include "kernels/device/cuda/memory.hpp"
#include "kernels/device/cuda/module.hpp"
#include "kernels/device/cuda/timing_kernels.hpp"

namespace ridge::device::cuda {

// Reads twice the L2's size: afterwards no line of anything else is in it, and none has to be written back.
class Flusher {
 public:
  Flusher(std::shared_ptr<const Context> context, std::shared_ptr<const Module> timing, std::int64_t l2_bytes,
          int multiprocessors, Stream& stream);
  // Queues the read.
  void flush(Stream& stream);
  [[nodiscard]] std::int64_t bytes() const { return data_.bytes() - line; }

 private:
  static constexpr std::int64_t line = 256;
  Function<const void*, std::int64_t, std::uint32_t*> read_;
  DeviceBuffer data_;  // what is read, then the sink
  unsigned blocks_;
};

}  // namespace ridge::device::cuda
