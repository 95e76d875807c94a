// NVML, declared by us since its header is not in the toolkit: the part that Ridge asks, as a table filled at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kernels/device/driver_probe.hpp"

namespace ridge::device::cuda {

// Values and layouts as NVIDIA documents them in the "NVML API Reference Guide"; they are part of its ABI.
namespace nvml {

using Return = int;
inline constexpr Return success = 0;
inline constexpr Return not_supported = 3;
inline constexpr Return no_permission = 4;
inline constexpr Return not_found = 6;
inline constexpr Return driver_not_loaded = 9;
inline constexpr Return gpu_is_lost = 15;

using Handle = struct Opaque*;

struct PciInfo {  // nvmlPciInfo_t of nvmlDeviceGetPciInfo_v3 and nvmlDeviceGetNvLinkRemotePciInfo_v2
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_subsystem_id;
  char bus_id[32];
};
static_assert(sizeof(PciInfo) == 68 && offsetof(PciInfo, bus_id) == 36);

struct Temperature {  // nvmlTemperature_v1_t
  unsigned version;
  int sensor;  // 0: the GPU
  int celsius;
};
static_assert(sizeof(Temperature) == 12);
inline constexpr unsigned temperature_version = sizeof(Temperature) | 1u << 24;

struct Memory {  // nvmlMemory_t, bytes
  std::uint64_t total;
  std::uint64_t free;
  std::uint64_t used;
};
static_assert(sizeof(Memory) == 24);

inline constexpr int clock_sm = 1;
inline constexpr int clock_memory = 2;

// nvmlClocksEventReasons: why the clocks are not the highest.
inline constexpr std::uint64_t reason_idle = 0x1;
inline constexpr std::uint64_t reason_application_setting = 0x2;
inline constexpr std::uint64_t reason_power_cap = 0x4;
inline constexpr std::uint64_t reason_hardware_slowdown = 0x8;
inline constexpr std::uint64_t reason_sync_boost = 0x10;
inline constexpr std::uint64_t reason_thermal_software = 0x20;
inline constexpr std::uint64_t reason_thermal_hardware = 0x40;
inline constexpr std::uint64_t reason_power_brake = 0x80;
inline constexpr std::uint64_t reason_display = 0x100;

}  // namespace nvml

// Every entry but the first three may be empty: a library without it leaves that fact unknown.
struct Nvml {
  using R = nvml::Return;
  using H = nvml::Handle;
  std::function<R()> init;
  std::function<R()> shutdown;
  std::function<const char*(R)> error_string;
  std::function<R(char*, unsigned)> driver_version;
  std::function<R(char*, unsigned)> nvml_version;
  std::function<R(const char*, H*)> by_uuid;
  std::function<R(const char*, H*)> by_pci;
  std::function<R(H, char*, unsigned)> name;
  std::function<R(H, nvml::Memory*)> memory;
  std::function<R(H, unsigned*)> link_generation;
  std::function<R(H, unsigned*)> link_generation_max;
  std::function<R(H, unsigned*)> link_width;
  std::function<R(H, unsigned*)> link_width_max;
  std::function<R(H, int, unsigned*)> clock;  // MHz
  std::function<R(H, int, unsigned*)> clock_max;
  std::function<R(H, unsigned*)> power;  // mW
  std::function<R(H, unsigned*)> power_limit;
  std::function<R(H, unsigned*)> power_limit_default;
  std::function<R(H, nvml::Temperature*)> temperature;        // newer libraries
  std::function<R(H, int, unsigned*)> temperature_of_sensor;  // older ones
  std::function<R(H, std::uint64_t*)> clock_reasons;
  std::function<R(H, int*, int*)> ecc;  // now, after the next start
  std::function<R(H, unsigned*, unsigned*)> mig;
  std::function<R(H, int*)> persistence;
  std::function<R(H, int*)> compute_mode;
  std::function<R(H, unsigned, int*)> nvlink_active;
  std::function<R(H, unsigned, nvml::PciInfo*)> nvlink_remote;

  std::shared_ptr<void> library;  // shut down and closed with the table

  [[nodiscard]] std::string text(R status) const;  // "GPU is lost"
};

struct LoadedNvml {
  std::shared_ptr<const Nvml> nvml;  // null: see reason
  std::string reason;
};

// Opens libnvidia-ml.so.1 and starts it. Never throws.
LoadedNvml load_nvml(const LibraryOpener& opener = system_opener());

}  // namespace ridge::device::cuda
