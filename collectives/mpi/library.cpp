// The library is opened for all to see, since the module's calls and the library's own plugins look for its symbols
// there.
#include "collectives/mpi/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "kernels/device/device.hpp"

namespace ridge::collectives::mpi {
namespace {

struct Known {
  const char* name;  // of the module
  std::vector<const char*> libraries;
};

std::vector<Known> in_order(const std::string& told_by, const std::string& wanted) {
  std::vector<Known> known{{"openmpi", {"libmpi.so.40"}}, {"mpich", {"libmpich.so.12", "libmpi.so.12"}}};
  if (!wanted.empty()) {
    std::erase_if(known, [&](const Known& each) { return wanted != each.name; });
    if (known.empty())
      throw std::invalid_argument(fmt::format("RIDGE_MPI is '{}'; it may be openmpi or mpich", wanted));
  } else if (told_by == "PMI_SIZE") {
    std::reverse(known.begin(), known.end());
  }
  return known;
}

std::string first_line(const char* text) {
  std::string line(text);
  line = line.substr(0, line.find_first_of("\n,"));
  std::replace(line.begin(), line.end(), '\t', ' ');
  return line;
}

}  // namespace

Opener system_opener() {
  return {[](const std::string& name, bool for_all, std::string& error) {
            void* const handle = ::dlopen(name.c_str(), RTLD_NOW | (for_all ? RTLD_GLOBAL : RTLD_LOCAL));
            const char* const why = handle == nullptr ? ::dlerror() : nullptr;
            error = why == nullptr ? "" : why;
            return handle;
          },
          [](void* handle, const char* symbol) { return ::dlsym(handle, symbol); }};
}

Opened open_mpi(const Opener& opener, const std::string& folder, const std::string& told_by,
                const std::string& wanted) {
  std::vector<std::string> tried;
  for (const Known& known : in_order(told_by, wanted)) {
    std::string error;
    void* library = nullptr;
    for (const char* const name : known.libraries)
      if (library == nullptr) library = opener.open(name, true, error);
    if (library == nullptr) {
      tried.push_back(fmt::format("{} not found", fmt::join(known.libraries, " or ")));
      continue;
    }
    // What is global now cannot be taken back, so the next MPI is not tried in this process.
    void* module = nullptr;
    for (const char* const place : {"", "../lib/ridge/"})
      if (module == nullptr)
        module = opener.open(fmt::format("{}/{}ridge-mpi-{}.so", folder, place, known.name), false, error);
    using Entry = const RidgeMpi* (*)();
    const auto entry = module == nullptr ? nullptr : reinterpret_cast<Entry>(opener.symbol(module, "ridge_mpi"));
    if (entry == nullptr)
      throw device::Absent(fmt::format("{} is here, but not this build's module for it: {}", known.name, error));
    if (entry()->version != ridge_mpi_version)
      throw device::Absent(fmt::format("the module ridge-mpi-{}.so is of another build: version {} instead of {}",
                                       known.name, entry()->version, ridge_mpi_version));
    return {entry(), first_line(entry()->library())};
  }
  throw device::Absent(fmt::format("no MPI: {}", fmt::join(tried, ", ")));
}

}  // namespace ridge::collectives::mpi
