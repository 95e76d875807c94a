// The flush buffer and its reading.
#include "kernels/device/cuda/flush.hpp"

namespace ridge::device::cuda {

Flusher::Flusher(std::shared_ptr<const Context> context, std::shared_ptr<const Module> timing, std::int64_t l2_bytes,
                 int multiprocessors, Stream& stream)
    : read_(std::move(timing), flush_read_kernel),
      data_(std::move(context), 2 * l2_bytes / line * line + line),
      blocks_(static_cast<unsigned>(multiprocessors) * 4) {
  stream.fill(data_.as(), 0, data_.bytes());
}

void Flusher::flush(Stream& stream) {
  read_(stream, {blocks_, 256}, data_.as(), bytes() / 16, reinterpret_cast<std::uint32_t*>(data_.as<char>() + bytes()));
}

}  // namespace ridge::device::cuda
