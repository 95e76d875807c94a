// Opening libcuda.so.1 into the table, with a reason for every way in which it can be unfit.
#include "kernels/device/cuda/driver.hpp"

#include <fmt/format.h>

namespace ridge::device::cuda {
namespace {

constexpr const char* library_name = "libcuda.so.1";

#define RIDGE_TEXT(name) #name
// One level more, so that cuda.h's mapping to versioned names happens before the name becomes text.
#define RIDGE_SYMBOL(name) RIDGE_TEXT(name)

// The name of the first function that the library lacks, or null.
const char* fill(Driver& driver, const LibraryOpener& opener, void* handle) {
#define RIDGE_FIND(name)                                             \
  {                                                                  \
    void* const address = opener.symbol(handle, RIDGE_SYMBOL(name)); \
    if (address == nullptr) return RIDGE_SYMBOL(name);               \
    driver.name = reinterpret_cast<decltype(&::name)>(address);      \
  }
  RIDGE_CUDA_FUNCTIONS(RIDGE_FIND)
#undef RIDGE_FIND
  return nullptr;
}

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string name_of(const Driver& driver, CUresult status) {
  const char* name = nullptr;
  if (driver.cuGetErrorName(status, &name) != CUDA_SUCCESS || name == nullptr)
    return fmt::format("status {}", static_cast<int>(status));
  return name;
}

}  // namespace

std::string Driver::version_text() const {
  return cuda::version_text(version);
}

LoadedDriver load_driver(const LibraryOpener& opener, int required) {
  // The probe answers for everything that needs no function beyond the version: missing, broken, no kernel driver.
  const DriverProbe probe = probe_cuda_driver(opener);
  if (!probe.cuda_version) return {nullptr, probe.reason, {}};

  const auto opened = opener.open(library_name);
  if (opened.handle == nullptr)
    return {nullptr, fmt::format("{} cannot be opened: {}", library_name, opened.error), {}};
  auto driver = std::make_shared<Driver>();
  driver->library = std::shared_ptr<void>(opened.handle, opener.close);
  driver->source = library_name;

  void* const get_version = opener.symbol(opened.handle, "cuDriverGetVersion");
  if (get_version == nullptr || reinterpret_cast<int (*)(int*)>(get_version)(&driver->version) != 0)
    return {nullptr, fmt::format("{} does not say its version", library_name), {}};
  if (driver->version < required)
    return {nullptr, fmt::format("driver {} < {}", version_text(driver->version), version_text(required)),
            probe.cuda_version};
  if (const char* missing = fill(*driver, opener, opened.handle))
    return {nullptr, fmt::format("{} ({}) has no {}", library_name, driver->version_text(), missing),
            probe.cuda_version};
  const CUresult status = driver->cuInit(0);
  if (status == CUDA_ERROR_NO_DEVICE) return {nullptr, "the NVIDIA driver finds no GPU", probe.cuda_version};
  if (status != CUDA_SUCCESS)
    return {nullptr, fmt::format("the NVIDIA driver does not start: cuInit: {}", name_of(*driver, status)),
            probe.cuda_version};
  return {std::move(driver), {}, probe.cuda_version};
}

}  // namespace ridge::device::cuda
