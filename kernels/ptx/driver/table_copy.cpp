// Copies of every kind, and fills. Addresses are checked when the call is made, bytes move when the stream is waited
// for.
#include <cstring>

#include "kernels/ptx/driver/state.hpp"

namespace ridge::ptx {
namespace {

using Kind = CopyNote::Kind;

void require_range(const Memory& memory, CUdeviceptr address, std::size_t bytes) {
  if (bytes == 0 || memory.find(address, bytes)) return;
  throw Refusal{CUDA_ERROR_INVALID_VALUE, "the range is in no allocation: " + memory.nearest(address).description};
}

void note(Reference::State& state, const Gpu& gpu, Kind kind, std::size_t bytes) {
  state.copies.push_back({gpu.index, kind, static_cast<std::int64_t>(bytes)});
}

CUresult to_device(Reference::State& state, CUdeviceptr dst, const void* src, std::size_t bytes, CUstream on) {
  Gpu& gpu = state.here();
  require_range(gpu.memory, dst, bytes);
  StandInStream& stream = state.stream(on, gpu);
  if (state.is_pinned(src, bytes)) {
    state.enqueue(stream, [&state, &gpu, dst, src, bytes] {
      gpu.memory.write(dst, src, bytes);
      note(state, gpu, Kind::to_device, bytes);
    });
    return CUDA_SUCCESS;
  }
  // Pageable: staged before the call returns, so the caller may change it at once.
  const auto* const begin = static_cast<const std::uint8_t*>(src);
  state.enqueue(stream, [&state, &gpu, dst, staged = std::vector<std::uint8_t>(begin, begin + bytes)] {
    gpu.memory.write(dst, staged.data(), staged.size());
    note(state, gpu, Kind::to_device, staged.size());
  });
  return CUDA_SUCCESS;
}

CUresult to_host(Reference::State& state, void* dst, CUdeviceptr src, std::size_t bytes, CUstream on) {
  Gpu& gpu = state.here();
  require_range(gpu.memory, src, bytes);
  StandInStream& stream = state.stream(on, gpu);
  const bool pageable = !state.is_pinned(dst, bytes);
  if (pageable) state.require_no_capture(stream);
  state.enqueue(stream, [&state, &gpu, dst, src, bytes] {
    gpu.memory.read(dst, src, bytes);
    note(state, gpu, Kind::to_host, bytes);
  });
  if (pageable) {  // such a copy is over when the call returns
    state.run_all(stream);
    return gpu.broken;
  }
  return CUDA_SUCCESS;
}

CUresult on_device(Reference::State& state, CUdeviceptr dst, CUdeviceptr src, std::size_t bytes, CUstream on) {
  Gpu& gpu = state.here();
  require_range(gpu.memory, dst, bytes);
  require_range(gpu.memory, src, bytes);
  state.enqueue(state.stream(on, gpu), [&state, &gpu, dst, src, bytes] {
    gpu.memory.copy(dst, src, bytes);
    note(state, gpu, Kind::on_device, bytes);
  });
  return CUDA_SUCCESS;
}

// Works with and without peer access, as on a machine (there it goes through the host without it).
CUresult to_peer(Reference::State& state, CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                 CUcontext src_context, std::size_t bytes, CUstream on) {
  Gpu& gpu = state.here();
  Gpu& to = state.of(dst_context);
  Gpu& from = state.of(src_context);
  require_range(to.memory, dst, bytes);
  require_range(from.memory, src, bytes);
  state.enqueue(state.stream(on, gpu), [&state, &to, &from, dst, src, bytes] {
    if (&to == &from)
      to.memory.copy(dst, src, bytes);
    else
      to.memory.copy_from(dst, from.memory, src, bytes);
    note(state, from, Kind::to_peer, bytes);
  });
  return CUDA_SUCCESS;
}

CUresult fill(Reference::State& state, CUdeviceptr dst, std::uint32_t value, unsigned element, std::size_t count,
              CUstream on) {
  Gpu& gpu = state.here();
  if (dst % element != 0) return CUDA_ERROR_INVALID_VALUE;
  require_range(gpu.memory, dst, count * element);
  state.enqueue(state.stream(on, gpu), [&state, &gpu, dst, value, element, count] {
    gpu.memory.fill(dst, value, element, count);
    note(state, gpu, Kind::fill, count * element);
  });
  return CUDA_SUCCESS;
}

}  // namespace

void fill_copy(device::cuda::Driver& table, Reference::State& state) {
  // The two that take no stream wait for the default stream and every blocking one, and return when all is done.
  table.cuMemcpyHtoD = state.entry("cuMemcpyHtoD", [&state](CUdeviceptr dst, const void* src, std::size_t bytes) {
    const CUresult status = to_device(state, dst, src, bytes, nullptr);
    state.run_blocking(state.here());
    return status;
  });
  table.cuMemcpyDtoH = state.entry("cuMemcpyDtoH", [&state](void* dst, CUdeviceptr src, std::size_t bytes) {
    const CUresult status = to_host(state, dst, src, bytes, nullptr);
    state.run_blocking(state.here());
    return status;
  });
  table.cuMemcpyHtoDAsync =
      state.entry("cuMemcpyHtoDAsync", [&state](CUdeviceptr dst, const void* src, std::size_t bytes, CUstream on) {
        return to_device(state, dst, src, bytes, on);
      });
  table.cuMemcpyDtoHAsync =
      state.entry("cuMemcpyDtoHAsync", [&state](void* dst, CUdeviceptr src, std::size_t bytes, CUstream on) {
        return to_host(state, dst, src, bytes, on);
      });
  table.cuMemcpyDtoDAsync =
      state.entry("cuMemcpyDtoDAsync", [&state](CUdeviceptr dst, CUdeviceptr src, std::size_t bytes, CUstream on) {
        return on_device(state, dst, src, bytes, on);
      });
  table.cuMemcpyPeerAsync = state.entry(
      "cuMemcpyPeerAsync",
      [&state](CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src, CUcontext src_context, std::size_t bytes,
               CUstream on) { return to_peer(state, dst, dst_context, src, src_context, bytes, on); });
  table.cuMemsetD8Async =
      state.entry("cuMemsetD8Async", [&state](CUdeviceptr dst, unsigned char value, std::size_t count, CUstream on) {
        return fill(state, dst, value, 1, count, on);
      });
  table.cuMemsetD32Async =
      state.entry("cuMemsetD32Async", [&state](CUdeviceptr dst, unsigned value, std::size_t count, CUstream on) {
        return fill(state, dst, value, 4, count, on);
      });
}

}  // namespace ridge::ptx
