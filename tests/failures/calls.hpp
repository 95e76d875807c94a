// What becomes of a run when a call of the CUDA driver fails, for each function that Ridge has in its table.
#pragma once

#include <array>

namespace ridge::test {

enum class Effect {
  no_driver,  // the driver cannot be used: skipped (5) with the call
  no_gpu,     // a GPU cannot be used: skipped (5) or failed (4) with the call
  failed,     // some measurement failed (4), with the call
  less,       // everything is measured; a fact or a text is missing
  released,   // everything is measured; something could not be given back
  unused,     // nothing calls it yet
};

struct Call {
  const char* name;
  Effect effect;
};

inline constexpr std::array calls{
    Call{"cuInit", Effect::no_driver},
    Call{"cuDriverGetVersion", Effect::no_driver},
    Call{"cuGetErrorName", Effect::less},
    Call{"cuGetErrorString", Effect::less},
    Call{"cuDeviceGetCount", Effect::no_driver},
    Call{"cuDeviceGet", Effect::no_gpu},
    Call{"cuDeviceGetName", Effect::no_gpu},
    Call{"cuDeviceGetUuid", Effect::no_gpu},
    Call{"cuDeviceTotalMem", Effect::no_gpu},
    Call{"cuDeviceGetAttribute", Effect::less},
    Call{"cuDeviceGetPCIBusId", Effect::less},
    Call{"cuDeviceCanAccessPeer", Effect::less},
    Call{"cuDeviceGetP2PAttribute", Effect::unused},
    Call{"cuDevicePrimaryCtxRetain", Effect::failed},
    Call{"cuDevicePrimaryCtxRelease", Effect::released},
    Call{"cuCtxSetCurrent", Effect::failed},
    Call{"cuCtxSynchronize", Effect::unused},
    Call{"cuCtxEnablePeerAccess", Effect::failed},
    Call{"cuCtxDisablePeerAccess", Effect::unused},
    Call{"cuModuleLoadDataEx", Effect::failed},
    Call{"cuModuleUnload", Effect::released},
    Call{"cuModuleGetFunction", Effect::failed},
    Call{"cuFuncGetAttribute", Effect::unused},
    Call{"cuFuncSetAttribute", Effect::unused},
    Call{"cuOccupancyMaxActiveBlocksPerMultiprocessor", Effect::failed},
    Call{"cuLaunchKernel", Effect::failed},
    Call{"cuMemGetInfo", Effect::less},
    Call{"cuMemAlloc", Effect::failed},
    Call{"cuMemFree", Effect::released},
    Call{"cuMemHostAlloc", Effect::failed},
    Call{"cuMemFreeHost", Effect::released},
    Call{"cuMemHostGetDevicePointer", Effect::failed},
    Call{"cuMemcpyHtoD", Effect::unused},
    Call{"cuMemcpyDtoH", Effect::unused},
    Call{"cuMemcpyHtoDAsync", Effect::failed},
    Call{"cuMemcpyDtoHAsync", Effect::failed},
    Call{"cuMemcpyDtoDAsync", Effect::failed},
    Call{"cuMemcpyPeerAsync", Effect::failed},
    Call{"cuMemsetD8Async", Effect::failed},
    Call{"cuMemsetD32Async", Effect::unused},
    Call{"cuStreamCreate", Effect::failed},
    Call{"cuStreamDestroy", Effect::released},
    Call{"cuStreamSynchronize", Effect::failed},
    Call{"cuStreamQuery", Effect::unused},
    Call{"cuStreamWaitEvent", Effect::failed},
    Call{"cuStreamBeginCapture", Effect::failed},
    Call{"cuStreamEndCapture", Effect::failed},
    Call{"cuEventCreate", Effect::failed},
    Call{"cuEventDestroy", Effect::released},
    Call{"cuEventRecord", Effect::failed},
    Call{"cuEventSynchronize", Effect::failed},
    Call{"cuEventQuery", Effect::unused},
    Call{"cuEventElapsedTime", Effect::failed},
    Call{"cuGraphInstantiate", Effect::failed},
    Call{"cuGraphLaunch", Effect::failed},
    Call{"cuGraphDestroy", Effect::released},
    Call{"cuGraphExecDestroy", Effect::released},
};

}  // namespace ridge::test
