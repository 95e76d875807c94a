// A small libnvidia-ml.so.1 for tests, with every function that Ridge asks for. RIDGE_STANDIN_NVML says how it behaves:
//   (unset)      everything is told      unsupported  nothing beyond finding GPUs is
//   lost         the GPU is lost         throttled    every sample is throttled by heat
//   sometimes    every third sample is   refused      it does not start
// RIDGE_STANDIN_NVML_FAIL=nvmlDeviceGetName:999 makes every call of one function answer that; several with commas.
// RIDGE_STANDIN_NVML_TOLD=file is written when the process ends: how often each function was called.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

#include "kernels/device/cuda/nvml.hpp"

namespace nvml = ridge::device::cuda::nvml;
using nvml::Handle;
using nvml::Return;

namespace {

bool behaves(const char* how) {
  const char* const text = std::getenv("RIDGE_STANDIN_NVML");
  return text != nullptr && std::strcmp(text, how) == 0;
}

struct Calls {
  std::map<std::string, int> made;
  ~Calls() {
    const char* const file = std::getenv("RIDGE_STANDIN_NVML_TOLD");
    if (file == nullptr) return;
    std::ofstream out(file);
    for (const auto& [call, times] : made) out << call << ' ' << times << '\n';
  }
};
Calls calls;

// The GPUs of the stand-in driver carry this UUID, with their index in the last byte; the PCI bus is one more.
constexpr const char* uuid_prefix = "GPU-72696467-652d-7265-6665-72656e6365";
constexpr unsigned most_gpus = 16;
int gpus[most_gpus];
unsigned index_of(Handle handle) {
  return static_cast<unsigned>(reinterpret_cast<int*>(handle) - gpus);
}
unsigned gpu_count() {
  const char* const text = std::getenv("RIDGE_STANDIN_GPUS");
  return text == nullptr ? 1 : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

// Counts the call, and answers what a test planned for it.
Return begin(const char* call) {
  ++calls.made[call];
  const char* const plan = std::getenv("RIDGE_STANDIN_NVML_FAIL");
  if (plan == nullptr) return nvml::success;
  const std::string planned = "," + std::string(plan);
  const auto at = planned.find("," + std::string(call) + ":");
  if (at == std::string::npos) return nvml::success;
  return static_cast<Return>(std::strtol(planned.c_str() + planned.find(':', at) + 1, nullptr, 10));
}

// The same for a fact of a GPU.
Return fact(const char* call) {
  const Return planned = begin(call);
  if (planned != nvml::success) return planned;
  if (behaves("lost")) return nvml::gpu_is_lost;
  return behaves("unsupported") ? nvml::not_supported : nvml::success;
}
template <class T, class V>
Return tell(const char* call, T* out, V value) {
  const Return status = fact(call);
  if (status == nvml::success) *out = static_cast<T>(value);
  return status;
}
Return tell_text(const char* call, char* out, unsigned bytes, const char* text) {
  const Return status = begin(call);
  if (status == nvml::success) std::snprintf(out, bytes, "%s", text);
  return status;
}
Return tell_two(const char* call, int* now, int* later, int value) {
  const Return status = fact(call);
  if (status == nvml::success) *now = *later = value;
  return status;
}

}  // namespace

extern "C" {

Return nvmlInit_v2() {
  if (const Return planned = begin(__func__); planned != nvml::success) return planned;
  return behaves("refused") ? nvml::driver_not_loaded : nvml::success;
}
Return nvmlShutdown() {
  return begin(__func__);
}
const char* nvmlErrorString(Return status) {
  begin(__func__);
  switch (status) {
    case nvml::gpu_is_lost:
      return "GPU is lost";
    case nvml::driver_not_loaded:
      return "Driver Not Loaded";
    case nvml::not_found:
      return "Not Found";
    case nvml::not_supported:
      return "Not Supported";
    default:
      return "Unknown Error";
  }
}
Return nvmlSystemGetDriverVersion(char* out, unsigned bytes) {
  return tell_text(__func__, out, bytes, "580.0.0-stand-in");
}
Return nvmlSystemGetNVMLVersion(char* out, unsigned bytes) {
  return tell_text(__func__, out, bytes, "13.580.0-stand-in");
}
Return nvmlDeviceGetHandleByUUID(const char* uuid, Handle* handle) {
  if (const Return planned = begin(__func__); planned != nvml::success) return planned;
  if (std::strncmp(uuid, uuid_prefix, std::strlen(uuid_prefix)) != 0) return nvml::not_found;
  const auto index = std::strtoul(uuid + std::strlen(uuid_prefix), nullptr, 16);
  if (index >= most_gpus) return nvml::not_found;
  *handle = reinterpret_cast<Handle>(&gpus[index]);
  return nvml::success;
}
Return nvmlDeviceGetHandleByPciBusId_v2(const char* address, Handle* handle) {
  if (const Return planned = begin(__func__); planned != nvml::success) return planned;
  unsigned bus = 0;
  if (std::sscanf(address, "%*x:%x:", &bus) != 1 || bus < 1 || bus > gpu_count()) return nvml::not_found;
  *handle = reinterpret_cast<Handle>(&gpus[bus - 1]);
  return nvml::success;
}
Return nvmlDeviceGetName(Handle, char* out, unsigned bytes) {
  if (behaves("unsupported")) return nvml::not_supported;
  return tell_text(__func__, out, bytes, "Ridge stand-in GPU");
}
Return nvmlDeviceGetMemoryInfo(Handle, nvml::Memory* out) {
  return tell(__func__, out, nvml::Memory{1 << 30, 1 << 30, 0});
}
Return nvmlDeviceGetCurrPcieLinkGeneration(Handle, unsigned* out) {
  return tell(__func__, out, 1);
}
Return nvmlDeviceGetMaxPcieLinkGeneration(Handle, unsigned* out) {
  return tell(__func__, out, 5);
}
Return nvmlDeviceGetCurrPcieLinkWidth(Handle, unsigned* out) {
  return tell(__func__, out, 8);
}
Return nvmlDeviceGetMaxPcieLinkWidth(Handle, unsigned* out) {
  return tell(__func__, out, 16);
}
Return nvmlDeviceGetClockInfo(Handle, int, unsigned* out) {
  return tell(__func__, out, 1000);
}
Return nvmlDeviceGetMaxClockInfo(Handle, int, unsigned* out) {
  return tell(__func__, out, 1500);
}
Return nvmlDeviceGetPowerUsage(Handle, unsigned* out) {
  return tell(__func__, out, 250'000);
}
Return nvmlDeviceGetEnforcedPowerLimit(Handle, unsigned* out) {
  return tell(__func__, out, 300'000);
}
Return nvmlDeviceGetPowerManagementDefaultLimit(Handle, unsigned* out) {
  return tell(__func__, out, 350'000);
}
Return nvmlDeviceGetTemperatureV(Handle, nvml::Temperature* out) {
  if (out->version != nvml::temperature_version) return nvml::not_supported;
  return tell(__func__, &out->celsius, 66);
}
Return nvmlDeviceGetTemperature(Handle, int, unsigned* out) {
  return tell(__func__, out, 66);
}
Return nvmlDeviceGetCurrentClocksThrottleReasons(Handle, std::uint64_t* out) {
  static int asked = 0;
  const Return status = begin(__func__);
  if (status != nvml::success) return status;
  if (behaves("unsupported")) return nvml::not_supported;
  const bool now = behaves("throttled") || (behaves("sometimes") && asked++ % 3 == 0);
  *out = now ? nvml::reason_thermal_hardware : nvml::reason_idle;
  return nvml::success;
}
Return nvmlDeviceGetEccMode(Handle, int* now, int* later) {
  return tell_two(__func__, now, later, 1);
}
Return nvmlDeviceGetMigMode(Handle, unsigned* now, unsigned* later) {
  int value = 0;
  const Return status = tell_two(__func__, &value, &value, 0);
  *now = *later = 0;
  return status;
}
Return nvmlDeviceGetPersistenceMode(Handle, int* on) {
  return tell(__func__, on, 1);
}
Return nvmlDeviceGetComputeMode(Handle, int* mode) {
  return tell(__func__, mode, 0);
}
// Two links, to the next GPU in a ring, where there is one.
Return nvmlDeviceGetNvLinkState(Handle, unsigned link, int* active) {
  if (link >= 2 || gpu_count() < 2) return nvml::not_supported;
  return tell(__func__, active, 1);
}
Return nvmlDeviceGetNvLinkRemotePciInfo_v2(Handle handle, unsigned, nvml::PciInfo* out) {
  const Return status = fact(__func__);
  if (status != nvml::success) return status;
  *out = {};
  std::snprintf(out->bus_id, sizeof out->bus_id, "00000000:%02X:00.0", (index_of(handle) + 1) % gpu_count() + 1);
  return nvml::success;
}

}  // extern "C"
