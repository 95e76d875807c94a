// Starting, versions, error texts, devices with their attributes, primary contexts, peer access.
#include <cstring>

#include "kernels/ptx/driver/state.hpp"

namespace ridge::ptx {
namespace {

int attribute(const ReferenceSettings& s, CUdevice_attribute which) {
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return 8;  // what the engine executes: PTX for compute_80
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return 0;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return s.multiprocessors;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      return static_cast<int>(s.l2_bytes);
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
      return 48 << 10;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      return 163 << 10;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
      return 164 << 10;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
      return 65536;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      return 2048;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return 1024;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      return 32;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT:
      return s.copy_engines;
    case CU_DEVICE_ATTRIBUTE_ECC_ENABLED:
      return s.ecc ? 1 : 0;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE:
      return CU_COMPUTEMODE_DEFAULT;
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
      return 1;
    case CU_DEVICE_ATTRIBUTE_INTEGRATED:
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:  // there is no clock
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
      return 0;
    case CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID:
      return s.numa_node.value_or(-1);
    default:
      throw Refusal{CUDA_ERROR_INVALID_VALUE, "an attribute that the reference machine does not have"};
  }
}

const char* name_of_status(CUresult status) {
#define RIDGE_STATUS(name) \
  case name:               \
    return #name;
  switch (status) {
    RIDGE_STATUS(CUDA_SUCCESS)
    RIDGE_STATUS(CUDA_ERROR_INVALID_VALUE)
    RIDGE_STATUS(CUDA_ERROR_OUT_OF_MEMORY)
    RIDGE_STATUS(CUDA_ERROR_NOT_INITIALIZED)
    RIDGE_STATUS(CUDA_ERROR_NO_DEVICE)
    RIDGE_STATUS(CUDA_ERROR_INVALID_DEVICE)
    RIDGE_STATUS(CUDA_ERROR_INVALID_IMAGE)
    RIDGE_STATUS(CUDA_ERROR_INVALID_CONTEXT)
    RIDGE_STATUS(CUDA_ERROR_NO_BINARY_FOR_GPU)
    RIDGE_STATUS(CUDA_ERROR_ECC_UNCORRECTABLE)
    RIDGE_STATUS(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED)
    RIDGE_STATUS(CUDA_ERROR_INVALID_PTX)
    RIDGE_STATUS(CUDA_ERROR_INVALID_HANDLE)
    RIDGE_STATUS(CUDA_ERROR_NOT_FOUND)
    RIDGE_STATUS(CUDA_ERROR_NOT_READY)
    RIDGE_STATUS(CUDA_ERROR_ILLEGAL_ADDRESS)
    RIDGE_STATUS(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
    RIDGE_STATUS(CUDA_ERROR_LAUNCH_TIMEOUT)
    RIDGE_STATUS(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
    RIDGE_STATUS(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED)
    RIDGE_STATUS(CUDA_ERROR_CONTEXT_IS_DESTROYED)
    RIDGE_STATUS(CUDA_ERROR_MISALIGNED_ADDRESS)
    RIDGE_STATUS(CUDA_ERROR_LAUNCH_FAILED)
    RIDGE_STATUS(CUDA_ERROR_NOT_SUPPORTED)
    RIDGE_STATUS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
    RIDGE_STATUS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED)
    RIDGE_STATUS(CUDA_ERROR_STREAM_CAPTURE_UNJOINED)
    RIDGE_STATUS(CUDA_ERROR_ILLEGAL_STATE)
    RIDGE_STATUS(CUDA_ERROR_UNKNOWN)
    default:
      return nullptr;
  }
#undef RIDGE_STATUS
}

void fill_start(device::cuda::Driver& table, Reference::State& state) {
  table.cuInit = state.entry("cuInit", [&state](unsigned) {
    if (state.settings.gpus == 0) return CUDA_ERROR_NO_DEVICE;
    state.started = true;
    return CUDA_SUCCESS;
  });
  table.cuDriverGetVersion = state.entry("cuDriverGetVersion", [&state](int* version) {
    *version = state.settings.driver_version;
    return CUDA_SUCCESS;
  });
  // Also of a machine that refuses everything else, and without a text for their own failing, so not through an entry.
  const auto refused = [&state](const char* call) -> std::optional<CUresult> {
    try {
      state.before_call(call);
      return std::nullopt;
    } catch (const Refusal& refusal) {
      return refusal.status;
    }
  };
  table.cuGetErrorName = [&state, refused](CUresult status, const char** name) {
    const std::lock_guard lock(state.mutex);
    if (const auto why = refused("cuGetErrorName")) return *why;
    *name = name_of_status(status);
    return *name == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  };
  table.cuGetErrorString = [&state, refused](CUresult status, const char** text) {
    const std::lock_guard lock(state.mutex);
    if (const auto why = refused("cuGetErrorString")) return *why;
    const auto told = state.texts.find(status);
    *text = told != state.texts.end() ? told->second.c_str() : name_of_status(status);
    return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  };
}

void fill_facts(device::cuda::Driver& table, Reference::State& state) {
  table.cuDeviceGetCount = state.entry("cuDeviceGetCount", [&state](int* count) {
    *count = state.settings.gpus;
    return CUDA_SUCCESS;
  });
  table.cuDeviceGet = state.entry("cuDeviceGet", [&state](CUdevice* device, int ordinal) {
    *device = state.gpu(ordinal).index;
    return CUDA_SUCCESS;
  });
  table.cuDeviceGetName = state.entry("cuDeviceGetName", [&state](char* name, int bytes, CUdevice device) {
    state.gpu(device);
    std::strncpy(name, state.settings.model.c_str(), static_cast<std::size_t>(bytes));
    name[bytes - 1] = '\0';
    return CUDA_SUCCESS;
  });
  table.cuDeviceGetUuid = state.entry("cuDeviceGetUuid", [&state](CUuuid* uuid, CUdevice device) {
    const int index = state.gpu(device).index;
    std::memcpy(uuid->bytes, "ridge-reference\0", 16);
    uuid->bytes[15] = static_cast<char>(index);
    return CUDA_SUCCESS;
  });
  table.cuDeviceTotalMem = state.entry("cuDeviceTotalMem", [&state](std::size_t* bytes, CUdevice device) {
    *bytes = state.gpu(device).memory.capacity();
    return CUDA_SUCCESS;
  });
  table.cuDeviceGetAttribute =
      state.entry("cuDeviceGetAttribute", [&state](int* value, CUdevice_attribute which, CUdevice device) {
        state.gpu(device);
        *value = attribute(state.settings, which);
        return CUDA_SUCCESS;
      });
  table.cuDeviceGetPCIBusId = state.entry("cuDeviceGetPCIBusId", [&state](char* text, int bytes, CUdevice device) {
    if (bytes < 13) return CUDA_ERROR_INVALID_VALUE;
    const std::string digits = "0123456789abcdef";
    const auto index = static_cast<std::size_t>(state.gpu(device).index) + 1;
    const std::string address = std::string("0000:") + digits[index / 16 % 16] + digits[index % 16] + ":00.0";
    std::memcpy(text, address.c_str(), address.size() + 1);
    return CUDA_SUCCESS;
  });
}

void fill_peers(device::cuda::Driver& table, Reference::State& state) {
  table.cuDeviceCanAccessPeer = state.entry("cuDeviceCanAccessPeer", [&state](int* can, CUdevice a, CUdevice b) {
    *can = &state.gpu(a) != &state.gpu(b) && state.settings.peer_access ? 1 : 0;
    return CUDA_SUCCESS;
  });
  table.cuDeviceGetP2PAttribute =
      state.entry("cuDeviceGetP2PAttribute", [&state](int* value, CUdevice_P2PAttribute which, CUdevice a, CUdevice b) {
        if (&state.gpu(a) == &state.gpu(b)) return CUDA_ERROR_INVALID_DEVICE;
        const bool linked = state.settings.peer_access && which != CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK;
        *value = linked ? 1 : 0;
        return CUDA_SUCCESS;
      });
  table.cuCtxEnablePeerAccess = state.entry("cuCtxEnablePeerAccess", [&state](CUcontext context, unsigned) {
    Gpu& here = state.here();
    Gpu& peer = state.of(context);
    if (!state.settings.peer_access || &here == &peer) return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    if (!here.peers.insert(&peer).second) return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    here.memory.enable_peer(peer.memory);
    return CUDA_SUCCESS;
  });
  table.cuCtxDisablePeerAccess = state.entry("cuCtxDisablePeerAccess", [&state](CUcontext context) {
    Gpu& here = state.here();
    Gpu& peer = state.of(context);
    if (here.peers.erase(&peer) == 0) return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    here.memory.disable_peer(peer.memory);
    return CUDA_SUCCESS;
  });
}

void fill_contexts(device::cuda::Driver& table, Reference::State& state) {
  table.cuDevicePrimaryCtxRetain =
      state.entry("cuDevicePrimaryCtxRetain", [&state](CUcontext* context, CUdevice device) {
        Gpu& gpu = state.gpu(device);
        ++gpu.retained;
        *context = reinterpret_cast<CUcontext>(&gpu);
        return CUDA_SUCCESS;
      });
  table.cuDevicePrimaryCtxRelease = state.entry("cuDevicePrimaryCtxRelease", [&state](CUdevice device) {
    Gpu& gpu = state.gpu(device);
    if (gpu.retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
    --gpu.retained;
    return CUDA_SUCCESS;
  });
  // Does not tell a sticky error: the calls that use the context do.
  table.cuCtxSetCurrent = state.entry("cuCtxSetCurrent", [&state](CUcontext context) {
    state.current[std::this_thread::get_id()] = context == nullptr ? nullptr : &state.of(context);
    return CUDA_SUCCESS;
  });
  table.cuCtxSynchronize = state.entry("cuCtxSynchronize", [&state] {
    Gpu& gpu = state.here();
    state.require_no_capture(gpu.default_stream);
    state.run_everything(gpu);
    return CUDA_SUCCESS;
  });
}

}  // namespace

void fill_device(device::cuda::Driver& table, Reference::State& state) {
  fill_start(table, state);
  fill_facts(table, state);
  fill_peers(table, state);
  fill_contexts(table, state);
}

}  // namespace ridge::ptx
