// Asking the driver for a GPU's attributes.
#include "kernels/device/cuda/properties.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "kernels/device/cuda/context.hpp"

namespace ridge::device::cuda {
namespace {

void require(const Driver& driver, CUresult status, const char* call, int ordinal) {
  if (status != CUDA_SUCCESS)
    throw StatusError(fmt::format("{} on GPU {}", describe(driver, call, status), ordinal), status);
}

std::string uuid_text(const CUuuid& uuid) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

}  // namespace

std::string Properties::capability() const {
  return fmt::format("{}.{}", capability_major, capability_minor);
}

std::optional<double> Properties::memory_bandwidth() const {
  if (!memory_clock_hz || !memory_bus_bits) return std::nullopt;
  return 2.0 * *memory_clock_hz * *memory_bus_bits / 8.0;
}

Properties read_properties(const Driver& driver, int ordinal) {
  CUdevice device = 0;
  require(driver, driver.cuDeviceGet(&device, ordinal), "cuDeviceGet", ordinal);
  const auto attribute = [&](CUdevice_attribute which) -> std::optional<int> {
    int value = 0;
    if (driver.cuDeviceGetAttribute(&value, which, device) != CUDA_SUCCESS) return std::nullopt;
    return value;
  };
  // Zero and negative stand for "not told" in these.
  const auto positive = [&](CUdevice_attribute which) -> std::optional<int> {
    const auto value = attribute(which);
    return value && *value > 0 ? value : std::nullopt;
  };

  Properties p;
  std::array<char, 256> text{};
  require(driver, driver.cuDeviceGetName(text.data(), static_cast<int>(text.size()), device), "cuDeviceGetName",
          ordinal);
  p.model = text.data();
  CUuuid uuid{};
  require(driver, driver.cuDeviceGetUuid(&uuid, device), "cuDeviceGetUuid", ordinal);
  p.uuid = uuid_text(uuid);
  text = {};
  if (driver.cuDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device) == CUDA_SUCCESS)
    p.pci_address = text.data();
  std::size_t bytes = 0;
  require(driver, driver.cuDeviceTotalMem(&bytes, device), "cuDeviceTotalMem", ordinal);
  p.memory_bytes = static_cast<std::int64_t>(bytes);

  p.capability_major = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR).value_or(0);
  p.capability_minor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR).value_or(0);
  require(driver, driver.cuDeviceGetAttribute(&p.multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
          "cuDeviceGetAttribute", ordinal);
  if (p.multiprocessors < 1)
    throw std::runtime_error(fmt::format("GPU {} does not say how many multiprocessors it has", ordinal));
  p.l2_bytes = positive(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE).value_or(0);
  p.shared_bytes_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN).value_or(0);
  p.shared_bytes_per_processor = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR).value_or(0);
  p.registers_per_processor = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR).value_or(0);
  p.threads_per_processor = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR).value_or(0);
  p.threads_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK).value_or(0);
  p.warp_size = positive(CU_DEVICE_ATTRIBUTE_WARP_SIZE).value_or(32);
  p.copy_engines = attribute(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT).value_or(0);
  if (const auto khz = positive(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)) p.clock_hz = 1e3 * *khz;
  if (const auto khz = positive(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)) p.memory_clock_hz = 1e3 * *khz;
  p.memory_bus_bits = positive(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  if (const auto on = attribute(CU_DEVICE_ATTRIBUTE_ECC_ENABLED)) p.ecc = *on != 0;
  p.integrated = attribute(CU_DEVICE_ATTRIBUTE_INTEGRATED).value_or(0) != 0;
  if (const auto mode = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_MODE))
    p.compute_mode = *mode == CU_COMPUTEMODE_DEFAULT      ? "default"
                     : *mode == CU_COMPUTEMODE_PROHIBITED ? "prohibited"
                                                          : "exclusive process";
  if (const auto node = attribute(CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID); node && *node >= 0) p.numa_node = node;
  return p;
}

}  // namespace ridge::device::cuda
