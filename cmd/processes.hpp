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

// A launcher started this process as one of several, and what is to be done is one process' work: one report is to come
// of it, not one of each. `stands_back` is true of all but rank 0, which has
// `line` to say; `finding` is what rank 0 has to say of it. Nothing
// where no launcher started several.
struct OneOfSeveral {
  bool stands_back = false;
  std::string line;
  record::Finding finding;
};
std::optional<OneOfSeveral> one_of_several();

// Whether the family's ranks may be threads or processes.
bool has_engines(const bench::Registry& registry, const std::string& family);

}  // namespace ridge::cmd
