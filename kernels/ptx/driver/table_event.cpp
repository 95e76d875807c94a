// Events: recorded, waited for by streams and by the host, and subtracted where the machine plays a real driver.
#include <chrono>

#include "kernels/ptx/driver/state.hpp"

namespace ridge::ptx {
namespace {

double host_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

CUresult record(Reference::State& state, CUevent handle, CUstream on) {
  Gpu& gpu = state.here();
  StandInEvent& event = Reference::State::find(state.events, handle);
  if (event.gpu != &gpu) return CUDA_ERROR_INVALID_HANDLE;
  StandInStream& stream = state.stream(on, gpu);
  event.stream = &stream;
  event.captured = stream.capturing;
  event.done = false;
  if (stream.capturing != nullptr) return CUDA_SUCCESS;
  // A handle, for the event may be destroyed or recorded again before this runs.
  const std::uint64_t ticket = stream.queued + 1;
  event.ticket = ticket;
  state.enqueue(stream, [&state, handle, ticket, on = &stream] {
    const auto found = state.events.find(handle);
    if (found == state.events.end() || found->second->stream != on || found->second->ticket != ticket) return;
    found->second->done = true;
    found->second->seconds = host_seconds();
  });
  return CUDA_SUCCESS;
}

CUresult wait(Reference::State& state, CUstream on, CUevent handle) {
  Gpu& gpu = state.here();
  const StandInEvent& event = Reference::State::find(state.events, handle);
  StandInStream& stream = state.stream(on, gpu);
  if (event.captured != nullptr) {  // capture spreads to the waiting stream, or comes back from it
    if (stream.capturing == nullptr) stream.capturing = event.captured;
    if (stream.capturing != event.captured) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (stream.capture_origin && event.stream != nullptr) event.stream->unjoined = false;
    return CUDA_SUCCESS;
  }
  if (event.stream == nullptr || event.done) return CUDA_SUCCESS;
  state.require_no_capture(stream);
  state.enqueue(stream, [&state, source = event.stream, ticket = event.ticket] {
    for (const auto& [known, each] : state.streams)  // it may be gone, and then all of it has run
      if (each.get() == source) state.run(*each, ticket);
    for (const auto& each : state.gpus)
      if (&each->default_stream == source) state.run(*source, ticket);
  });
  return CUDA_SUCCESS;
}

}  // namespace

void fill_event(device::cuda::Driver& table, Reference::State& state) {
  table.cuEventCreate = state.entry("cuEventCreate", [&state](CUevent* event, unsigned flags) {
    auto made = std::make_unique<StandInEvent>();
    made->gpu = &state.here();
    made->timed = (flags & CU_EVENT_DISABLE_TIMING) == 0;
    *event = Reference::State::add(state.events, std::move(made));
    return CUDA_SUCCESS;
  });
  table.cuEventDestroy = state.entry("cuEventDestroy", [&state](CUevent handle) {
    Reference::State::find(state.events, handle);
    state.events.erase(handle);
    return CUDA_SUCCESS;
  });
  table.cuEventRecord =
      state.entry("cuEventRecord", [&state](CUevent event, CUstream on) { return record(state, event, on); });
  table.cuStreamWaitEvent = state.entry(
      "cuStreamWaitEvent", [&state](CUstream on, CUevent event, unsigned) { return wait(state, on, event); });
  table.cuEventSynchronize = state.entry("cuEventSynchronize", [&state](CUevent handle) {
    const Gpu& gpu = state.here();
    const StandInEvent& event = Reference::State::find(state.events, handle);
    if (event.captured != nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (event.stream != nullptr) state.run(*event.stream, event.ticket);
    return gpu.broken;
  });
  table.cuEventQuery = state.entry("cuEventQuery", [&state](CUevent handle) {
    const Gpu& gpu = state.here();
    const StandInEvent& event = Reference::State::find(state.events, handle);
    if (event.stream == nullptr || event.done) return CUDA_SUCCESS;
    state.run(*event.stream, event.stream->ran + 1);
    if (gpu.broken != CUDA_SUCCESS) return gpu.broken;
    return CUDA_ERROR_NOT_READY;
  });
  table.cuEventElapsedTime = state.entry("cuEventElapsedTime", [&state](float* milliseconds, CUevent from, CUevent to) {
    state.here();
    const StandInEvent& a = Reference::State::find(state.events, from);
    const StandInEvent& b = Reference::State::find(state.events, to);
    if (!a.timed || !b.timed || a.stream == nullptr || b.stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (!a.done || !b.done) return CUDA_ERROR_NOT_READY;
    if (!state.settings.host_clock) return state.refuse(CUDA_ERROR_NOT_SUPPORTED, "the reference machine has no time");
    *milliseconds = static_cast<float>((b.seconds - a.seconds) * state.settings.clock_scale * 1e3);
    return CUDA_SUCCESS;
  });
}

}  // namespace ridge::ptx
