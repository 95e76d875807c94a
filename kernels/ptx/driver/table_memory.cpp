// Device memory and pinned host memory.
#include <new>

#include "kernels/ptx/driver/state.hpp"

namespace ridge::ptx {
namespace {

constexpr std::size_t page = 4096;

CUresult pin(Reference::State& state, void** out, std::size_t bytes, unsigned flags) {
  state.here();
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if ((flags & ~(CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED)) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  auto* const data = new (std::align_val_t{page}, std::nothrow) std::byte[bytes];
  if (data == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  state.pinned[data] = {data, bytes};
  for (const auto& gpu : state.gpus) gpu->memory.map_host(data, bytes, "pinned host memory");
  *out = data;
  return CUDA_SUCCESS;
}

}  // namespace

void free_pinned(std::byte* data) {
  ::operator delete[](data, std::align_val_t{page});
}

void fill_memory(device::cuda::Driver& table, Reference::State& state) {
  table.cuMemGetInfo = state.entry("cuMemGetInfo", [&state](std::size_t* free, std::size_t* total) {
    const Gpu& gpu = state.here();
    *total = gpu.memory.capacity();
    *free = gpu.memory.capacity() - gpu.memory.used();
    return CUDA_SUCCESS;
  });
  table.cuMemAlloc = state.entry("cuMemAlloc", [&state](CUdeviceptr* address, std::size_t bytes) {
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    *address = state.here().memory.allocate(bytes, "a buffer of " + std::to_string(bytes) + " bytes");
    return CUDA_SUCCESS;
  });
  // Waits for everything that could still use it, as cuMemFree does.
  table.cuMemFree = state.entry("cuMemFree", [&state](CUdeviceptr address) {
    if (address == 0) return CUDA_SUCCESS;
    Gpu& gpu = state.here();
    state.run_everything(gpu);
    gpu.memory.free(address);
    return CUDA_SUCCESS;
  });
  table.cuMemHostAlloc = state.entry("cuMemHostAlloc", [&state](void** out, std::size_t bytes, unsigned flags) {
    return pin(state, out, bytes, flags);
  });
  table.cuMemFreeHost = state.entry("cuMemFreeHost", [&state](void* data) {
    const auto found = state.pinned.find(static_cast<const std::byte*>(data));
    if (found == state.pinned.end()) return state.refuse(CUDA_ERROR_INVALID_VALUE, "not the start of pinned memory");
    for (const auto& gpu : state.gpus) {
      if (gpu->retained > 0 && gpu->broken == CUDA_SUCCESS) state.run_everything(*gpu);
      gpu->memory.unmap_host(data);
    }
    free_pinned(found->second.data);
    state.pinned.erase(found);
    return CUDA_SUCCESS;
  });
  table.cuMemHostGetDevicePointer =
      state.entry("cuMemHostGetDevicePointer", [&state](CUdeviceptr* address, void* data, unsigned flags) {
        state.here();
        if (flags != 0 || !state.is_pinned(data, 1)) return CUDA_ERROR_INVALID_VALUE;
        *address = reinterpret_cast<CUdeviceptr>(data);  // one address space
        return CUDA_SUCCESS;
      });
}

}  // namespace ridge::ptx
