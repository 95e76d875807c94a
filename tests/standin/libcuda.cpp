// The reference machine as libcuda.so.1, so that the real binary can be seen to open a driver where there is none.
// Every function that Ridge calls, with the signatures of cuda.h; what the GPUs look like comes from the environment.
//   RIDGE_STANDIN_GPUS=2  RIDGE_STANDIN_NUMA_NODE=0  RIDGE_STANDIN_VERSION=12040  RIDGE_STANDIN_MEMORY=bytes
//   RIDGE_STANDIN_FAIL=cuMemAlloc:2:2  RIDGE_STANDIN_TOLD=file, for the calls that were made and what was left behind
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "kernels/ptx/driver/reference.hpp"

namespace {

std::int64_t number_from(const char* name, std::int64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoll(text, nullptr, 10);
}

// "cuMemAlloc:2:719" makes the second call answer 719.
void plan_failure(ridge::ptx::Reference& reference) {
  const char* const text = std::getenv("RIDGE_STANDIN_FAIL");
  if (text == nullptr) return;
  std::istringstream parts(text);
  std::string call;
  std::string nth;
  std::string status;
  std::getline(parts, call, ':');
  std::getline(parts, nth, ':');
  std::getline(parts, status, ':');
  reference.fail(call, std::stoi(nth), static_cast<CUresult>(std::stoi(status)));
}

// Writes "cuMemAlloc 12" for each function and "left: …" when the library is closed or the process ends.
struct Teller {
  const ridge::ptx::Reference& reference;
  ~Teller() {
    const char* const file = std::getenv("RIDGE_STANDIN_TOLD");
    if (file == nullptr) return;
    std::ofstream out(file);
    for (const auto& [call, times] : reference.calls()) out << call << ' ' << times << '\n';
    out << "left: " << reference.left() << '\n';
  }
};

// A driver library is one machine for the whole process.
const ridge::device::cuda::Driver& machine() {
  static const auto table = [] {
    ridge::ptx::ReferenceSettings settings;
    settings.host_clock = true;
    settings.gpus = static_cast<int>(number_from("RIDGE_STANDIN_GPUS", 1));
    settings.driver_version = static_cast<int>(number_from("RIDGE_STANDIN_VERSION", 13000));
    settings.memory_bytes = number_from("RIDGE_STANDIN_MEMORY", settings.memory_bytes);
    settings.l2_bytes = 1 << 18;
    if (const auto node = number_from("RIDGE_STANDIN_NUMA_NODE", -1); node >= 0)
      settings.numa_node = static_cast<int>(node);
    settings.launch.checks = {false, false, false, false};
    settings.model = "Ridge stand-in GPU";
    static ridge::ptx::Reference reference(settings);
    static const Teller teller{reference};
    plan_failure(reference);
    return reference.driver();
  }();
  return *table;
}

}  // namespace

CUresult cuInit(unsigned int a0) {
  return machine().cuInit(a0);
}
CUresult cuDriverGetVersion(int* a0) {
  return machine().cuDriverGetVersion(a0);
}
CUresult cuGetErrorName(CUresult a0, const char** a1) {
  return machine().cuGetErrorName(a0, a1);
}
CUresult cuGetErrorString(CUresult a0, const char** a1) {
  return machine().cuGetErrorString(a0, a1);
}
CUresult cuDeviceGetCount(int* a0) {
  return machine().cuDeviceGetCount(a0);
}
CUresult cuDeviceGet(CUdevice* a0, int a1) {
  return machine().cuDeviceGet(a0, a1);
}
CUresult cuDeviceGetName(char* a0, int a1, CUdevice a2) {
  return machine().cuDeviceGetName(a0, a1, a2);
}
CUresult cuDeviceGetUuid(CUuuid* a0, CUdevice a1) {
  return machine().cuDeviceGetUuid(a0, a1);
}
CUresult cuDeviceTotalMem(size_t* a0, CUdevice a1) {
  return machine().cuDeviceTotalMem(a0, a1);
}
CUresult cuDeviceGetAttribute(int* a0, CUdevice_attribute a1, CUdevice a2) {
  return machine().cuDeviceGetAttribute(a0, a1, a2);
}
CUresult cuDeviceGetPCIBusId(char* a0, int a1, CUdevice a2) {
  return machine().cuDeviceGetPCIBusId(a0, a1, a2);
}
CUresult cuDeviceCanAccessPeer(int* a0, CUdevice a1, CUdevice a2) {
  return machine().cuDeviceCanAccessPeer(a0, a1, a2);
}
CUresult cuDeviceGetP2PAttribute(int* a0, CUdevice_P2PAttribute a1, CUdevice a2, CUdevice a3) {
  return machine().cuDeviceGetP2PAttribute(a0, a1, a2, a3);
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* a0, CUdevice a1) {
  return machine().cuDevicePrimaryCtxRetain(a0, a1);
}
CUresult cuDevicePrimaryCtxRelease(CUdevice a0) {
  return machine().cuDevicePrimaryCtxRelease(a0);
}
CUresult cuCtxSetCurrent(CUcontext a0) {
  return machine().cuCtxSetCurrent(a0);
}
CUresult cuCtxSynchronize() {
  return machine().cuCtxSynchronize();
}
CUresult cuCtxEnablePeerAccess(CUcontext a0, unsigned int a1) {
  return machine().cuCtxEnablePeerAccess(a0, a1);
}
CUresult cuCtxDisablePeerAccess(CUcontext a0) {
  return machine().cuCtxDisablePeerAccess(a0);
}
CUresult cuModuleLoadDataEx(CUmodule* a0, const void* a1, unsigned int a2, CUjit_option* a3, void** a4) {
  return machine().cuModuleLoadDataEx(a0, a1, a2, a3, a4);
}
CUresult cuModuleUnload(CUmodule a0) {
  return machine().cuModuleUnload(a0);
}
CUresult cuModuleGetFunction(CUfunction* a0, CUmodule a1, const char* a2) {
  return machine().cuModuleGetFunction(a0, a1, a2);
}
CUresult cuFuncGetAttribute(int* a0, CUfunction_attribute a1, CUfunction a2) {
  return machine().cuFuncGetAttribute(a0, a1, a2);
}
CUresult cuFuncSetAttribute(CUfunction a0, CUfunction_attribute a1, int a2) {
  return machine().cuFuncSetAttribute(a0, a1, a2);
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* a0, CUfunction a1, int a2, size_t a3) {
  return machine().cuOccupancyMaxActiveBlocksPerMultiprocessor(a0, a1, a2, a3);
}
CUresult cuLaunchKernel(CUfunction a0, unsigned int a1, unsigned int a2, unsigned int a3, unsigned int a4,
                        unsigned int a5, unsigned int a6, unsigned int a7, CUstream a8, void** a9, void** a10) {
  return machine().cuLaunchKernel(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10);
}
CUresult cuMemGetInfo(size_t* a0, size_t* a1) {
  return machine().cuMemGetInfo(a0, a1);
}
CUresult cuMemAlloc(CUdeviceptr* a0, size_t a1) {
  return machine().cuMemAlloc(a0, a1);
}
CUresult cuMemFree(CUdeviceptr a0) {
  return machine().cuMemFree(a0);
}
CUresult cuMemHostAlloc(void** a0, size_t a1, unsigned int a2) {
  return machine().cuMemHostAlloc(a0, a1, a2);
}
CUresult cuMemFreeHost(void* a0) {
  return machine().cuMemFreeHost(a0);
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* a0, void* a1, unsigned int a2) {
  return machine().cuMemHostGetDevicePointer(a0, a1, a2);
}
CUresult cuMemcpyHtoD(CUdeviceptr a0, const void* a1, size_t a2) {
  return machine().cuMemcpyHtoD(a0, a1, a2);
}
CUresult cuMemcpyDtoH(void* a0, CUdeviceptr a1, size_t a2) {
  return machine().cuMemcpyDtoH(a0, a1, a2);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr a0, const void* a1, size_t a2, CUstream a3) {
  return machine().cuMemcpyHtoDAsync(a0, a1, a2, a3);
}
CUresult cuMemcpyDtoHAsync(void* a0, CUdeviceptr a1, size_t a2, CUstream a3) {
  return machine().cuMemcpyDtoHAsync(a0, a1, a2, a3);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr a0, CUdeviceptr a1, size_t a2, CUstream a3) {
  return machine().cuMemcpyDtoDAsync(a0, a1, a2, a3);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr a0, CUcontext a1, CUdeviceptr a2, CUcontext a3, size_t a4, CUstream a5) {
  return machine().cuMemcpyPeerAsync(a0, a1, a2, a3, a4, a5);
}
CUresult cuMemsetD8Async(CUdeviceptr a0, unsigned char a1, size_t a2, CUstream a3) {
  return machine().cuMemsetD8Async(a0, a1, a2, a3);
}
CUresult cuMemsetD32Async(CUdeviceptr a0, unsigned int a1, size_t a2, CUstream a3) {
  return machine().cuMemsetD32Async(a0, a1, a2, a3);
}
CUresult cuStreamCreate(CUstream* a0, unsigned int a1) {
  return machine().cuStreamCreate(a0, a1);
}
CUresult cuStreamDestroy(CUstream a0) {
  return machine().cuStreamDestroy(a0);
}
CUresult cuStreamSynchronize(CUstream a0) {
  return machine().cuStreamSynchronize(a0);
}
CUresult cuStreamQuery(CUstream a0) {
  return machine().cuStreamQuery(a0);
}
CUresult cuStreamWaitEvent(CUstream a0, CUevent a1, unsigned int a2) {
  return machine().cuStreamWaitEvent(a0, a1, a2);
}
CUresult cuStreamBeginCapture(CUstream a0, CUstreamCaptureMode a1) {
  return machine().cuStreamBeginCapture(a0, a1);
}
CUresult cuStreamEndCapture(CUstream a0, CUgraph* a1) {
  return machine().cuStreamEndCapture(a0, a1);
}
CUresult cuEventCreate(CUevent* a0, unsigned int a1) {
  return machine().cuEventCreate(a0, a1);
}
CUresult cuEventDestroy(CUevent a0) {
  return machine().cuEventDestroy(a0);
}
CUresult cuEventRecord(CUevent a0, CUstream a1) {
  return machine().cuEventRecord(a0, a1);
}
CUresult cuEventSynchronize(CUevent a0) {
  return machine().cuEventSynchronize(a0);
}
CUresult cuEventQuery(CUevent a0) {
  return machine().cuEventQuery(a0);
}
CUresult cuEventElapsedTime(float* a0, CUevent a1, CUevent a2) {
  return machine().cuEventElapsedTime(a0, a1, a2);
}
CUresult cuGraphInstantiate(CUgraphExec* a0, CUgraph a1, unsigned long long a2) {
  return machine().cuGraphInstantiate(a0, a1, a2);
}
#ifndef RIDGE_STANDIN_WITHOUT_GRAPH_LAUNCH  // what a library that lacks a function looks like
CUresult cuGraphLaunch(CUgraphExec a0, CUstream a1) {
  return machine().cuGraphLaunch(a0, a1);
}
#endif
CUresult cuGraphDestroy(CUgraph a0) {
  return machine().cuGraphDestroy(a0);
}
CUresult cuGraphExecDestroy(CUgraphExec a0) {
  return machine().cuGraphExecDestroy(a0);
}
