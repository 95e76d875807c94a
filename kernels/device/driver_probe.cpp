// Asking libcuda.so.1 for its version, with a reason for every way in which it can be missing or broken.
#include "kernels/device/driver_probe.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace ridge::device {
namespace {

constexpr const char* library_name = "libcuda.so.1";
using DriverGetVersion = int (*)(int*);  // CUresult cuDriverGetVersion(int*); 0 is success

DriverProbe ask(const LibraryOpener& opener, void* handle) {
  void* const address = opener.symbol(handle, "cuDriverGetVersion");
  if (address == nullptr) return {{}, fmt::format("{} has no cuDriverGetVersion: not an NVIDIA driver", library_name)};
  int version = 0;
  const int result = reinterpret_cast<DriverGetVersion>(address)(&version);
  if (result != 0) return {{}, fmt::format("{} does not work: cuDriverGetVersion answered {}", library_name, result)};
  // The library exists without a kernel driver behind it too, and then says 0.
  if (version <= 0) return {{}, fmt::format("{} is here, but no NVIDIA kernel driver", library_name)};
  return {fmt::format("{}.{}", version / 1000, version % 1000 / 10), {}};
}

}  // namespace

LibraryOpener system_opener() {
  return {[](const char* name) -> LibraryOpener::Opened {
            void* const handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
            if (handle != nullptr) return {handle, {}};
            const char* const error = ::dlerror();
            return {nullptr, error == nullptr ? "" : error};
          },
          [](void* handle, const char* symbol) { return ::dlsym(handle, symbol); },
          [](void* handle) { ::dlclose(handle); }};
}

DriverProbe probe_cuda_driver(const LibraryOpener& opener) {
  const auto opened = opener.open(library_name);
  if (opened.handle == nullptr) {
    const bool missing = opened.error.empty() || opened.error.find("No such file") != std::string::npos;
    if (missing) return {{}, fmt::format("{} not found: no NVIDIA driver", library_name)};
    return {{}, fmt::format("{} cannot be opened: {}", library_name, opened.error)};
  }
  auto answer = ask(opener, opened.handle);
  opener.close(opened.handle);
  return answer;
}

}  // namespace ridge::device
