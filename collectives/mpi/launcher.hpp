// Whether a launcher started this process as one of several, as its environment tells.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace ridge::collectives::mpi {

struct Launch {
  std::string told_by;  // the variable that says how many there are: "OMPI_COMM_WORLD_SIZE"
  int rank = 0;
  int size = 1;
};

// Open MPI's mpirun, MPICH's mpiexec (and others that speak PMI), Slurm's srun. Nothing where none did.
std::optional<Launch> launch_of(const std::function<const char*(const char* name)>& environment);
std::optional<Launch> launch();  // of this process

}  // namespace ridge::collectives::mpi
