// What every call of the stand-in driver has in common: handles, the current GPU, failures, running what waits.
#include "kernels/ptx/driver/state.hpp"

#include <algorithm>
#include <stdexcept>

namespace ridge::ptx {

Reference::State::State(const ReferenceSettings& s) : settings(s) {
  for (int i = 0; i < settings.gpus; ++i) gpus.push_back(std::make_unique<Gpu>(settings.memory_bytes, i));
}

Reference::State::~State() {
  executables.clear();
  graphs.clear();
  streams.clear();
  functions.clear();
  modules.clear();  // before the memory that their variables are in
  for (const auto& [address, each] : pinned) free_pinned(each.data);
}

Gpu& Reference::State::gpu(int index) {
  if (!started) throw Refusal{CUDA_ERROR_NOT_INITIALIZED, "cuInit was not called"};
  if (index < 0 || index >= settings.gpus) throw Refusal{CUDA_ERROR_INVALID_DEVICE, "there is no such device"};
  return *gpus[static_cast<std::size_t>(index)];
}

Gpu& Reference::State::of(CUcontext context) {
  for (const auto& each : gpus)
    if (reinterpret_cast<CUcontext>(each.get()) == context) {
      if (each->retained == 0) throw Refusal{CUDA_ERROR_CONTEXT_IS_DESTROYED, "the primary context was released"};
      return *each;
    }
  throw Refusal{CUDA_ERROR_INVALID_CONTEXT, "there is no such context"};
}

Gpu& Reference::State::here() {
  const auto found = current.find(std::this_thread::get_id());
  if (found == current.end() || found->second == nullptr)
    throw Refusal{CUDA_ERROR_INVALID_CONTEXT, "no context is current to this thread"};
  Gpu& gpu = *found->second;
  if (gpu.retained == 0) throw Refusal{CUDA_ERROR_CONTEXT_IS_DESTROYED, "the primary context was released"};
  if (gpu.broken != CUDA_SUCCESS) throw Refusal{gpu.broken, texts[gpu.broken]};
  return gpu;
}

StandInStream& Reference::State::stream(CUstream handle, Gpu& gpu) {
  if (handle == nullptr) return gpu.default_stream;
  StandInStream& found = find(streams, handle);
  if (found.gpu != &gpu) throw Refusal{CUDA_ERROR_INVALID_HANDLE, "the stream belongs to another GPU's context"};
  return found;
}

bool Reference::State::is_pinned(const void* data, std::size_t bytes) const {
  const auto* const begin = static_cast<const std::byte*>(data);
  auto after = pinned.upper_bound(begin);
  if (after == pinned.begin()) return false;
  const Pinned& piece = (--after)->second;
  return begin + bytes <= piece.data + piece.bytes;
}

void Reference::State::enqueue(StandInStream& stream, std::function<void()> operation) {
  if (stream.capturing != nullptr) {
    find(graphs, stream.capturing).operations.push_back(std::move(operation));
    stream.unjoined = !stream.capture_origin;
    return;
  }
  stream.waiting.push_back(std::move(operation));
  ++stream.queued;
}

void Reference::State::run(StandInStream& stream, std::uint64_t until) {
  while (stream.ran < until && !stream.waiting.empty()) {
    const auto operation = std::move(stream.waiting.front());
    stream.waiting.pop_front();
    ++stream.ran;
    if (stream.gpu->broken != CUDA_SUCCESS) continue;
    try {
      operation();
    } catch (const Fault& fault) {
      switch (fault.kind) {
        case FaultKind::out_of_bounds:
        case FaultKind::use_after_free:
        case FaultKind::read_only:
          break_gpu(*stream.gpu, CUDA_ERROR_ILLEGAL_ADDRESS, fault.what());
          break;
        case FaultKind::misaligned:
          break_gpu(*stream.gpu, CUDA_ERROR_MISALIGNED_ADDRESS, fault.what());
          break;
        case FaultKind::step_limit:
          break_gpu(*stream.gpu, CUDA_ERROR_LAUNCH_TIMEOUT, fault.what());
          break;
        default:  // some of these a GPU would not notice
          break_gpu(*stream.gpu, CUDA_ERROR_LAUNCH_FAILED, fault.what());
      }
    } catch (const std::exception& error) {
      break_gpu(*stream.gpu, CUDA_ERROR_LAUNCH_FAILED, error.what());
    }
  }
}

void Reference::State::run_everything(Gpu& gpu) {
  run_all(gpu.default_stream);
  for (const auto& [handle, stream] : streams)
    if (stream->gpu == &gpu) run_all(*stream);
  if (gpu.broken != CUDA_SUCCESS) throw Refusal{gpu.broken, texts[gpu.broken]};
}

void Reference::State::run_blocking(Gpu& gpu) {
  run_all(gpu.default_stream);
  for (const auto& [handle, stream] : streams)
    if (stream->gpu == &gpu && stream->blocking) run_all(*stream);
  if (gpu.broken != CUDA_SUCCESS) throw Refusal{gpu.broken, texts[gpu.broken]};
}

void Reference::State::break_gpu(Gpu& gpu, CUresult status, const std::string& text) {
  gpu.broken = status;
  texts[status] = text;
}

void Reference::State::require_no_capture(const StandInStream& stream) const {
  if (stream.capturing != nullptr) throw Refusal{CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the stream is being captured"};
}

void Reference::State::before_call(const std::string& call) {
  const int nth = ++calls[call];
  const auto planned = failures.find(call);
  if (planned == failures.end()) return;
  const auto now = planned->second.find(nth);
  if (now != planned->second.end()) throw Refusal{now->second, "made to fail by a test"};
}

CUresult Reference::State::refuse(CUresult status, const std::string& text) {
  texts[status] = text;
  return status;
}

CUresult Reference::State::status_of_exception() {
  try {
    throw;
  } catch (const Refusal& refusal) {
    return refuse(refusal.status, refusal.text);
  } catch (const OutOfMemory& error) {
    return refuse(CUDA_ERROR_OUT_OF_MEMORY, error.what());
  } catch (const MemoryError& error) {
    return refuse(CUDA_ERROR_INVALID_VALUE, error.what());
  } catch (const ReadError& error) {
    return refuse(CUDA_ERROR_INVALID_PTX, error.what());
  } catch (const std::invalid_argument& error) {
    return refuse(CUDA_ERROR_INVALID_VALUE, error.what());
  } catch (const std::exception& error) {
    return refuse(CUDA_ERROR_UNKNOWN, error.what());
  }
}

}  // namespace ridge::ptx
