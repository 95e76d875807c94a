// Streams: made, waited for, asked.
#include "kernels/ptx/driver/state.hpp"

namespace ridge::ptx {

void fill_stream(device::cuda::Driver& table, Reference::State& state) {
  table.cuStreamCreate = state.entry("cuStreamCreate", [&state](CUstream* stream, unsigned flags) {
    if (flags != CU_STREAM_DEFAULT && flags != CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
    auto made = std::make_unique<StandInStream>();
    made->gpu = &state.here();
    made->blocking = flags == CU_STREAM_DEFAULT;
    *stream = Reference::State::add(state.streams, std::move(made));
    return CUDA_SUCCESS;
  });
  // What waits in it still runs, as on a GPU.
  table.cuStreamDestroy = state.entry("cuStreamDestroy", [&state](CUstream handle) {
    StandInStream& stream = Reference::State::find(state.streams, handle);
    state.run_all(stream);
    for (const auto& [known, event] : state.events)
      if (event->stream == &stream) {
        event->stream = nullptr;
        event->done = true;
      }
    // What it was recording, and never ended, is lost with it.
    if (stream.capture_origin) {
      const CUgraph lost = stream.capturing;
      for (const auto& [known, other] : state.streams)
        if (other->capturing == lost) other->capturing = nullptr;
      state.graphs.erase(lost);
    }
    state.streams.erase(handle);
    return CUDA_SUCCESS;
  });
  table.cuStreamSynchronize = state.entry("cuStreamSynchronize", [&state](CUstream handle) {
    Gpu& gpu = state.here();
    StandInStream& stream = state.stream(handle, gpu);
    state.require_no_capture(stream);
    if (handle == nullptr) {
      state.run_blocking(gpu);
      return CUDA_SUCCESS;
    }
    if (stream.blocking) state.run_all(gpu.default_stream);
    state.run_all(stream);
    return gpu.broken;
  });
  // Something happens meanwhile: one operation for each time it is asked.
  table.cuStreamQuery = state.entry("cuStreamQuery", [&state](CUstream handle) {
    Gpu& gpu = state.here();
    StandInStream& stream = state.stream(handle, gpu);
    state.require_no_capture(stream);
    if (stream.waiting.empty()) return CUDA_SUCCESS;
    state.run(stream, stream.ran + 1);
    return gpu.broken != CUDA_SUCCESS ? gpu.broken : CUDA_ERROR_NOT_READY;
  });
}

}  // namespace ridge::ptx
