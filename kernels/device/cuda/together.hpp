// Work that runs at once on several streams or GPUs: how one interval of the measured stream holds all of it.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "kernels/device/cuda/stream.hpp"

namespace ridge::device::cuda {

// A stream whose intervals hold the others' work too, and whose flush empties the caches of all GPUs.
class TogetherStream : public device::Stream {
 public:
  TogetherStream(cuda::Stream& measured, std::vector<cuda::Stream*> others)
      : measured_(measured), others_(std::move(others)) {}
  Interval time(const std::function<void()>& work) override { return measured_.time(work); }
  void flush_caches() override;
  [[nodiscard]] bool has_clock() const override { return measured_.has_clock(); }

 private:
  cuda::Stream& measured_;
  std::vector<cuda::Stream*> others_;
};

// Queues `repetitions` of queue(way) for each of `ways`. A way has `stream` (the measured one, or one of its `own`) and
// the events `begun` and `done` of its part. Streams of their own start after `begun` and end before what is queued on
// `measured` next, so that an interval around this call holds all of it.
template <class Way, class Queue>
void run_together(Stream& measured, Event& begun, std::vector<Way>& ways, std::int64_t repetitions,
                  const Queue& queue) {
  measured.record(begun);
  for (Way& way : ways) {
    if (way.own) way.stream->wait(begun);
    if (ways.size() > 1) way.stream->record(*way.begun);
  }
  // Turn by turn, so that no way's queue is empty while another's is filled.
  for (std::int64_t i = 0; i < repetitions; ++i)
    for (Way& way : ways) queue(way);
  for (Way& way : ways) {
    if (ways.size() > 1) way.stream->record(*way.done);
    if (way.own) measured.wait(*way.done);
  }
}

}  // namespace ridge::device::cuda
