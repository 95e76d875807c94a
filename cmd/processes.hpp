// Measuring by the ranks of a job: what mpirun or srun started, or --engine mpi alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cmd/commands.hpp"
#include "cmd/measure.hpp"

namespace ridge::cmd {

// Nothing where the request is for one process. Else measures on rank 0, which writes the one report, and obeys on
// every other. UsageError when what was asked for does not go with the launcher.
std::optional<record::Exit> measure_by_processes(const Invocation& invocation, const std::string& family,
                                                 const MeasureOptions& options, const std::string& suite, View view,
                                                 const std::function<void(record::Report&)>& complete);

// Whether the family's ranks may be threads or processes.
bool has_engines(const bench::Registry& registry, const std::string& family);

}  // namespace ridge::cmd
