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
  int local_rank = 0;        // among those of its host, as the launcher counts
  std::string address = {};  // where ranks meet, if there is no MPI to know it: host and port of torchrun's variables
  int port = 0;
};

// Open MPI's mpirun, MPICH's mpiexec (and others that speak PMI), Slurm's srun, then torchrun and those that set its
// variables for more than one rank. Nothing where none did.
std::optional<Launch> launch_of(const std::function<const char*(const char* name)>& environment);
std::optional<Launch> launch();  // of this process

}  // namespace ridge::collectives::mpi
