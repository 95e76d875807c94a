// Work recorded once and launched as a whole, as often as one likes.
#pragma once

#include <functional>
#include <memory>

#include "kernels/device/cuda/stream.hpp"

namespace ridge::device::cuda {

class Graph {
 public:
  // Records what `work` queues on `stream`, which must have no gate; none of it runs. Error when a call of it, or of
  // the recording, is refused: the stream then records no longer.
  Graph(std::shared_ptr<const Context> context, Stream& stream, const std::function<void()>& work);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Queues all of it.
  void launch(Stream& stream) const;

 private:
  std::shared_ptr<const Context> context_;
  CUgraphExec executable_ = nullptr;
};

}  // namespace ridge::device::cuda
