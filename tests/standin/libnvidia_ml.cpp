// A small libnvidia-ml.so.1 for tests. RIDGE_STANDIN_NVML says how it behaves:
//   (unset)      everything is told      unsupported  nothing beyond finding GPUs is
//   lost         the GPU is lost         throttled    every sample is throttled by heat
//   sometimes    every third sample is   refused      it does not start
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "kernels/device/cuda/nvml.hpp"

namespace nvml = ridge::device::cuda::nvml;

namespace {

bool behaves(const char* how) {
  const char* const text = std::getenv("RIDGE_STANDIN_NVML");
  return text != nullptr && std::strcmp(text, how) == 0;
}

// The GPUs of the stand-in driver carry this UUID, with their index in the last byte.
constexpr const char* uuid_prefix = "GPU-72696467-652d-7265-6665-72656e6365";
int gpus[16];

nvml::Return answer(unsigned* out, unsigned value) {
  if (behaves("lost")) return nvml::gpu_is_lost;
  if (behaves("unsupported")) return nvml::not_supported;
  *out = value;
  return nvml::success;
}

nvml::Return copy(char* out, unsigned bytes, const char* text) {
  std::snprintf(out, bytes, "%s", text);
  return nvml::success;
}

}  // namespace

extern "C" {

nvml::Return nvmlInit_v2() {
  return behaves("refused") ? nvml::driver_not_loaded : nvml::success;
}
nvml::Return nvmlShutdown() {
  return nvml::success;
}
const char* nvmlErrorString(nvml::Return status) {
  switch (status) {
    case nvml::gpu_is_lost:
      return "GPU is lost";
    case nvml::driver_not_loaded:
      return "Driver Not Loaded";
    case nvml::not_found:
      return "Not Found";
    default:
      return "Not Supported";
  }
}
nvml::Return nvmlSystemGetDriverVersion(char* out, unsigned bytes) {
  return copy(out, bytes, "580.0.0-stand-in");
}
nvml::Return nvmlSystemGetNVMLVersion(char* out, unsigned bytes) {
  return copy(out, bytes, "13.580.0-stand-in");
}
nvml::Return nvmlDeviceGetHandleByUUID(const char* uuid, nvml::Handle* handle) {
  if (std::strncmp(uuid, uuid_prefix, std::strlen(uuid_prefix)) != 0) return nvml::not_found;
  const auto index = std::strtoul(uuid + std::strlen(uuid_prefix), nullptr, 16);
  if (index >= 16) return nvml::not_found;
  *handle = reinterpret_cast<nvml::Handle>(&gpus[index]);
  return nvml::success;
}
nvml::Return nvmlDeviceGetHandleByPciBusId_v2(const char*, nvml::Handle*) {
  return nvml::not_found;
}
nvml::Return nvmlDeviceGetName(nvml::Handle, char* out, unsigned bytes) {
  return behaves("unsupported") ? nvml::not_supported : copy(out, bytes, "Ridge stand-in GPU");
}
nvml::Return nvmlDeviceGetCurrPcieLinkGeneration(nvml::Handle, unsigned* out) {
  return answer(out, 1);
}
nvml::Return nvmlDeviceGetMaxPcieLinkGeneration(nvml::Handle, unsigned* out) {
  return answer(out, 5);
}
nvml::Return nvmlDeviceGetCurrPcieLinkWidth(nvml::Handle, unsigned* out) {
  return answer(out, 8);
}
nvml::Return nvmlDeviceGetMaxPcieLinkWidth(nvml::Handle, unsigned* out) {
  return answer(out, 16);
}
nvml::Return nvmlDeviceGetClockInfo(nvml::Handle, int, unsigned* out) {
  return answer(out, 1000);
}
nvml::Return nvmlDeviceGetMaxClockInfo(nvml::Handle, int, unsigned* out) {
  return answer(out, 1500);
}
nvml::Return nvmlDeviceGetPowerUsage(nvml::Handle, unsigned* out) {
  return answer(out, 250'000);
}
nvml::Return nvmlDeviceGetEnforcedPowerLimit(nvml::Handle, unsigned* out) {
  return answer(out, 300'000);
}
nvml::Return nvmlDeviceGetTemperature(nvml::Handle, int, unsigned* out) {
  return answer(out, 66);
}
nvml::Return nvmlDeviceGetCurrentClocksThrottleReasons(nvml::Handle, std::uint64_t* out) {
  static int asked = 0;
  if (behaves("unsupported")) return nvml::not_supported;
  const bool now = behaves("throttled") || (behaves("sometimes") && asked++ % 3 == 0);
  *out = now ? nvml::reason_thermal_hardware : nvml::reason_idle;
  return nvml::success;
}
nvml::Return nvmlDeviceGetEccMode(nvml::Handle, int* now, int* later) {
  *now = *later = 1;
  return behaves("unsupported") ? nvml::not_supported : nvml::success;
}
nvml::Return nvmlDeviceGetPersistenceMode(nvml::Handle, int* on) {
  *on = 1;
  return behaves("unsupported") ? nvml::not_supported : nvml::success;
}
nvml::Return nvmlDeviceGetComputeMode(nvml::Handle, int* mode) {
  *mode = 0;
  return behaves("unsupported") ? nvml::not_supported : nvml::success;
}

}  // extern "C"
