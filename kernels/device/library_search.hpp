// Where optional libraries may lie that the system's linker does not know of: folders that a person named, Python's
// packages, the CUDA Toolkit.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/device/driver_probe.hpp"

namespace ridge::device {

// The environment variable that holds what --library-path names: folders, separated by colons.
inline constexpr const char* library_path_variable = "RIDGE_LIBRARY_PATH";

// In the order of search, those that exist: RIDGE_LIBRARY_PATH's; nvidia/*/lib of the virtual environment's Python, the
// user's and the system's, where NVIDIA's Python packages put their libraries; the CUDA Toolkit's.
using Variables = std::function<const char*(const char*)>;
std::vector<std::string> library_folders(const Variables& environment);

// Opens by name as `opener` does, and where that finds nothing, in these folders one after the other. The error is then
// the first that was no "No such file".
LibraryOpener searching_opener(std::vector<std::string> folders, LibraryOpener opener = system_opener());

}  // namespace ridge::device
