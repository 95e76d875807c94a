// Copies that run at once: how one interval of the measured stream holds them all.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/device/cuda/device.hpp"

namespace ridge::bench::transfer {

// What a destination holds before a copy arrives.
inline constexpr unsigned char poison = 0xA5;

// Queues `repetitions` copies of `bytes` on each of `ways`. Way has `stream` (the measured one, or `own`), the events
// `begun` and `done` of its part, and copy(bytes). Streams of their own start after `begun` and end before what is
// queued on `measured` next, so that an interval around this call holds every copy.
template <class Way>
void run_together(device::cuda::Stream& measured, device::cuda::Event& begun, std::vector<Way>& ways,
                  std::int64_t bytes, std::int64_t repetitions) {
  measured.record(begun);
  for (Way& way : ways) {
    if (way.own) way.stream->wait(begun);
    if (ways.size() > 1) way.stream->record(*way.begun);
  }
  // Turn by turn, so that no way's queue is empty while another's is filled.
  for (std::int64_t i = 0; i < repetitions; ++i)
    for (const Way& way : ways) way.copy(bytes);
  for (Way& way : ways) {
    if (ways.size() > 1) way.stream->record(*way.done);
    if (way.own) measured.wait(*way.done);
  }
}

}  // namespace ridge::bench::transfer
