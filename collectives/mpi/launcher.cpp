// The variables that launchers set.
#include "collectives/mpi/launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace ridge::collectives::mpi {
namespace {

std::optional<int> number(const char* text) {
  if (text == nullptr) return std::nullopt;
  int value = 0;
  const char* const end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end || value < 0) return std::nullopt;
  return value;
}

}  // namespace

// Slurm's is the size of the step: a batch script has SLURM_NTASKS and SLURM_PROCID without being one of several.
std::optional<Launch> launch_of(const std::function<const char*(const char* name)>& environment) {
  struct Variables {
    const char* size;
    const char* rank;
  };
  for (const Variables& each : {Variables{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                Variables{"PMI_SIZE", "PMI_RANK"}, Variables{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}) {
    const auto size = number(environment(each.size));
    const auto rank = number(environment(each.rank));
    if (size && rank && *rank < *size) return Launch{each.size, *rank, *size};
  }
  return std::nullopt;
}

std::optional<Launch> launch() {
  return launch_of([](const char* name) { return std::getenv(name); });
}

}  // namespace ridge::collectives::mpi
