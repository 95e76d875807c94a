// The CUDA driver as a table of functions: from libcuda.so.1 at run time, or from the reference machine.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "kernels/device/cuda/functions.hpp"
#include "kernels/device/driver_probe.hpp"

namespace ridge::device::cuda {

// Entries are std::function so that the reference machine can be a table without being global, and so that a test can
// put a failing call in place of any one of them. The indirection costs a nanosecond; a launch costs microseconds.
struct Driver {
#define RIDGE_ENTRY(name) std::function<std::remove_pointer_t<decltype(&::name)>> name;
  RIDGE_CUDA_FUNCTIONS(RIDGE_ENTRY)
#undef RIDGE_ENTRY
  std::string source;             // "libcuda.so.1", "the reference machine"
  int version = 0;                // what cuDriverGetVersion says: 13000 for 13.0
  bool modelled = false;          // it is the reference machine: counts, no times
  std::shared_ptr<void> library;  // keeps it open

  [[nodiscard]] std::string version_text() const;  // "13.0"
};

// The oldest driver that runs what this binary carries: the major version of the toolkit that compiled it, for within
// one major version NVIDIA keeps older drivers working.
inline constexpr int required_version = CUDA_VERSION / 1000 * 1000;

struct LoadedDriver {
  std::shared_ptr<const Driver> driver;  // null: see reason
  std::string reason;
  std::optional<std::string> cuda_version;  // known even of a driver that is too old
};

// Opens libcuda.so.1, checks its version, finds every function and starts it (cuInit). Never throws: what is missing is
// the reason. "driver 12.4 < 13.0"
LoadedDriver load_driver(const LibraryOpener& opener = system_opener(), int required = required_version);

}  // namespace ridge::device::cuda
