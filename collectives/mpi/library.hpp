// Opening an MPI at run time: its library, then the module that was compiled for it.
#pragma once

#include <functional>
#include <string>

#include "collectives/mpi/module/module.hpp"

namespace ridge::collectives::mpi {

struct Opened {
  const RidgeMpi* api = nullptr;
  std::string version;  // "Open MPI v4.1.4", "MPICH Version: 4.0.2"
};

// How libraries are opened; tests have their own. `open` gives a handle or, with the reason in `error`, nullptr.
struct Opener {
  std::function<void*(const std::string& name, bool for_all, std::string& error)> open;
  std::function<void*(void* handle, const char* symbol)> symbol;
};
Opener system_opener();

// The MPI of the launcher first: Open MPI's libmpi.so.40 unless `told_by` is PMI's; then MPICH's libmpich.so.12 or
// libmpi.so.12, the name of those with its binary interface. `wanted`: "openmpi", "mpich" or empty for whichever is
// here. Modules lie beside the binary in `folder`, or in ../lib/ridge. device::Absent, with all that was tried, when
// none can be used; std::invalid_argument for another `wanted`.
Opened open_mpi(const Opener& opener, const std::string& folder, const std::string& told_by, const std::string& wanted);

}  // namespace ridge::collectives::mpi
