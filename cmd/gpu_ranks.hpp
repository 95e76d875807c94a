// Which GPU this process takes where a launcher started one rank for each.
#pragma once

#include <optional>

#include "cmd/measure_options.hpp"
#include "collectives/mpi/world.hpp"

namespace ridge::cmd {

// The one that --device names, or of those that it allows the one whose turn it is among this host's ranks. Nothing
// where ranks are processes on CPUs. device::Error where there is no such GPU.
std::optional<collectives::mpi::GpuOfRank> gpu_of_rank(const MeasureOptions& options,
                                                       const collectives::mpi::Launch& launch);

}  // namespace ridge::cmd
