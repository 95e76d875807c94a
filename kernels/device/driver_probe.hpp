// Whether an NVIDIA driver is on this machine, asked of the driver's own library without starting the driver.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace ridge::device {

// How libraries are opened; tests put their own in place.
struct LibraryOpener {
  struct Opened {
    void* handle = nullptr;  // null: it could not be opened
    std::string error;       // why
  };
  std::function<Opened(const char* name)> open;
  std::function<void*(void* handle, const char* symbol)> symbol;  // null: there is none
  std::function<void(void* handle)> close;
};
LibraryOpener system_opener();

struct DriverProbe {
  std::optional<std::string> cuda_version;  // the newest CUDA that the driver supports: "13.0"
  std::string reason;                       // why there is none
};

// Opens libcuda.so.1, asks cuDriverGetVersion (which needs no initialisation) and closes it again.
DriverProbe probe_cuda_driver(const LibraryOpener& opener = system_opener());

}  // namespace ridge::device
