// The collective benchmarks as the ranks of a world measure them.
#pragma once

#include "bench/harness/registry.hpp"
#include "collectives/mpi/world.hpp"
#include "reports/record/report.hpp"

namespace ridge::bench::collective {

// The same definitions, for one engine and that many ranks: cases are prepared, verified and run by all ranks at the
// word of rank 0, whose world this is and which joins it with the first case. It must outlive them.
Registry of_processes(const Registry& registry, collectives::mpi::World& world);

// Who the ranks are, and which MPI they speak.
void add_ranks(record::Report& report, const collectives::mpi::World& world);

}  // namespace ridge::bench::collective
