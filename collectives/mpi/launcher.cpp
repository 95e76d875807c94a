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

// One rank is what many an environment says that has nothing to do with it.
std::optional<Launch> by_torchrun(const std::function<const char*(const char* name)>& environment) {
  constexpr int most_ports = 65535;
  const auto size = number(environment("WORLD_SIZE"));
  const auto rank = number(environment("RANK"));
  const auto port = number(environment("MASTER_PORT"));
  const char* const address = environment("MASTER_ADDR");
  if (!size || !rank || !port || address == nullptr || *rank >= *size || *size < 2 || *port > most_ports)
    return std::nullopt;
  return Launch{"WORLD_SIZE", *rank, *size, number(environment("LOCAL_RANK")).value_or(*rank), address, *port};
}

}  // namespace

// Slurm's is the size of the step: a batch script has SLURM_NTASKS and SLURM_PROCID without being one of several.
std::optional<Launch> launch_of(const std::function<const char*(const char* name)>& environment) {
  struct Variables {
    const char* size;
    const char* rank;
    const char* local;
  };
  for (const Variables& each : {Variables{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"},
                                Variables{"PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID"},
                                Variables{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_LOCALID"}}) {
    const auto size = number(environment(each.size));
    const auto rank = number(environment(each.rank));
    if (size && rank && *rank < *size)
      return Launch{each.size, *rank, *size, number(environment(each.local)).value_or(*rank), {}, 0};
  }
  return by_torchrun(environment);
}

std::optional<Launch> launch() {
  return launch_of([](const char* name) { return std::getenv(name); });
}

}  // namespace ridge::collectives::mpi
