// Opening libnvidia-ml.so.1 into the table; of each function the newest name that the library has.
#include "kernels/device/cuda/nvml.hpp"

#include <fmt/format.h>

#include <initializer_list>

namespace ridge::device::cuda {
namespace {

constexpr const char* library_name = "libnvidia-ml.so.1";

class Finder {
 public:
  Finder(const LibraryOpener& opener, void* handle) : opener_(opener), handle_(handle) {}
  template <class R, class... Args>
  bool find(std::function<R(Args...)>& entry, std::initializer_list<const char*> names) const {
    for (const char* name : names)
      if (void* const address = opener_.symbol(handle_, name)) {
        entry = reinterpret_cast<R (*)(Args...)>(address);
        return true;
      }
    return false;
  }

 private:
  const LibraryOpener& opener_;
  void* handle_;
};

void fill_optional(Nvml& t, const Finder& f) {
  f.find(t.error_string, {"nvmlErrorString"});
  f.find(t.driver_version, {"nvmlSystemGetDriverVersion"});
  f.find(t.nvml_version, {"nvmlSystemGetNVMLVersion"});
  f.find(t.by_uuid, {"nvmlDeviceGetHandleByUUID"});
  f.find(t.by_pci, {"nvmlDeviceGetHandleByPciBusId_v2"});
  f.find(t.name, {"nvmlDeviceGetName"});
  f.find(t.memory, {"nvmlDeviceGetMemoryInfo"});
  f.find(t.link_generation, {"nvmlDeviceGetCurrPcieLinkGeneration"});
  f.find(t.link_generation_max, {"nvmlDeviceGetMaxPcieLinkGeneration"});
  f.find(t.link_width, {"nvmlDeviceGetCurrPcieLinkWidth"});
  f.find(t.link_width_max, {"nvmlDeviceGetMaxPcieLinkWidth"});
  f.find(t.clock, {"nvmlDeviceGetClockInfo"});
  f.find(t.clock_max, {"nvmlDeviceGetMaxClockInfo"});
  f.find(t.power, {"nvmlDeviceGetPowerUsage"});
  f.find(t.power_limit, {"nvmlDeviceGetEnforcedPowerLimit", "nvmlDeviceGetPowerManagementLimit"});
  f.find(t.power_limit_default, {"nvmlDeviceGetPowerManagementDefaultLimit"});
  f.find(t.temperature, {"nvmlDeviceGetTemperatureV"});
  f.find(t.temperature_of_sensor, {"nvmlDeviceGetTemperature"});
  f.find(t.clock_reasons, {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  f.find(t.ecc, {"nvmlDeviceGetEccMode"});
  f.find(t.mig, {"nvmlDeviceGetMigMode"});
  f.find(t.persistence, {"nvmlDeviceGetPersistenceMode"});
  f.find(t.compute_mode, {"nvmlDeviceGetComputeMode"});
  f.find(t.nvlink_active, {"nvmlDeviceGetNvLinkState"});
  f.find(t.nvlink_remote, {"nvmlDeviceGetNvLinkRemotePciInfo_v2"});
}

}  // namespace

std::string Nvml::text(R status) const {
  const char* const known = error_string ? error_string(status) : nullptr;
  return known != nullptr ? known : fmt::format("status {}", status);
}

LoadedNvml load_nvml(const LibraryOpener& opener) {
  const auto opened = opener.open(library_name);
  if (opened.handle == nullptr) return {nullptr, fmt::format("{} not found", library_name)};
  std::shared_ptr<void> library(opened.handle, opener.close);

  auto table = std::make_shared<Nvml>();
  const Finder finder(opener, opened.handle);
  if (!finder.find(table->init, {"nvmlInit_v2"}) || !finder.find(table->shutdown, {"nvmlShutdown"}))
    return {nullptr, fmt::format("{} has no nvmlInit_v2 or no nvmlShutdown", library_name)};
  fill_optional(*table, finder);
  if (!table->by_uuid && !table->by_pci)
    return {nullptr, fmt::format("{} finds devices neither by UUID nor by PCI address", library_name)};
  if (const auto status = table->init(); status != nvml::success)
    return {nullptr, fmt::format("{} does not start: {}", library_name, table->text(status))};
  table->library = std::shared_ptr<void>(library.get(), [library, shutdown = table->shutdown](void*) { shutdown(); });
  return {std::move(table), {}};
}

}  // namespace ridge::device::cuda
