// Ranks that agree without any MPI: rank 0 listens where torchrun's variables say, the others connect to it. Enough for
// words between rank 0 and all; what is measured moves another way.
#pragma once

#include "collectives/mpi/launcher.hpp"
#include "collectives/mpi/library.hpp"

namespace ridge::collectives::mpi {

// The port above the launcher's, which has its own store on that.
int port_of_ranks(const Launch& launch);

// A table whose init() meets the others, and which offers barrier, broadcast and gather; its other calls answer that
// they are not offered. One world in a process, as with MPI.
Opened open_sockets(const Launch& launch);

}  // namespace ridge::collectives::mpi
