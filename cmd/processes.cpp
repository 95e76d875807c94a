// Decides whether ranks are processes, and what each of them does then.
#include "cmd/processes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "bench/harness/parse.hpp"
#include "cmd/child.hpp"
#include "cmd/gpu_ranks.hpp"
#include "cmd/output.hpp"
#include "cmd/signals.hpp"
#include "collectives/mpi/definitions.hpp"
#include "collectives/mpi/sockets.hpp"
#include "kernels/device/cpu/system.hpp"
#include "ridge_version.hpp"

namespace ridge::cmd {
namespace {

using collectives::mpi::Launch;
using collectives::mpi::World;
using record::Exit;

// Whether ranks are processes. The launcher decides where nothing else is said.
bool by_processes(const MeasureOptions& options, const std::optional<Launch>& launch) {
  const auto given = options.axes.find("engine");
  if (given == options.axes.end()) return launch.has_value();
  if (given->second == "mpi") return true;
  if (given->second == "threads" && launch && launch->size > 1)
    throw bench::UsageError(
        fmt::format("--engine threads is one process, and the launcher started {} ({}): start it alone", launch->size,
                    launch->told_by));
  return false;
}

// The axes for that many ranks; what was given for them must agree. GPUs have one engine, and need not be told which.
MeasureOptions for_ranks(MeasureOptions options, int size, bool launched, bool gpus) {
  const auto given = options.axes.find("ranks");
  if (given != options.axes.end() && given->second != "all" && given->second != std::to_string(size))
    throw bench::UsageError(
        launched ? fmt::format("--ranks {}: the launcher started {}", given->second, size)
                 : fmt::format("--ranks {}: ranks of --engine mpi are started by mpirun -n {} or srun -n {}",
                               given->second, given->second, given->second));
  options.axes["ranks"] = std::to_string(size);
  if (!gpus) options.axes["engine"] = "mpi";
  return options;
}

collectives::mpi::Terms terms_of(const Invocation& invocation, const Launch& launch, const bench::Settings& settings) {
  collectives::mpi::Terms terms;
  terms.launch = launch;
  terms.version = fmt::format("{} ({})", build::version, build::commit);
  terms.asked = invocation.line;
  terms.open = [launch] {
    if (!launch.address.empty()) return collectives::mpi::open_sockets(launch);
    const char* const wanted = std::getenv("RIDGE_MPI");
    return collectives::mpi::open_mpi(collectives::mpi::system_opener(),
                                      std::filesystem::path(own_binary()).parent_path().string(), launch.told_by,
                                      wanted == nullptr ? "" : wanted);
  };
  if (settings.timeout) {
    terms.join_seconds = std::min(terms.join_seconds, *settings.timeout);
    terms.step_seconds = std::min(terms.step_seconds, *settings.timeout);
  }
  return terms;
}

// A thread that waits for MPI for ever is left behind: nothing may wait for it.
Exit end(const World& world, Exit status) {
  if (world.given_up()) ::_exit(static_cast<int>(status));
  return status;
}

Exit follow(collectives::mpi::Terms terms) {
  const SignalGuard guard;  // rank 0 ends the run; the launcher sends its signals to all
  World world(std::move(terms));
  const std::string trouble = world.follow();
  if (trouble.empty()) return Exit::success;
  // Once a rank ends badly launchers end the others: rank 0 is to have written the report by then.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  return end(world, world.differs() ? Exit::usage : Exit::failed);
}

}  // namespace

std::optional<OneOfSeveral> one_of_several() {
  const auto launch = collectives::mpi::launch();
  if (!launch || launch->size < 2) return std::nullopt;
  OneOfSeveral found;
  found.stands_back = launch->rank > 0;
  found.line = fmt::format("rank {} of {} ({}): this is one process' work, and rank 0 does it", launch->rank,
                           launch->size, launch->told_by);
  const auto cpus = device::cpu::System::real().affinity().size();
  found.finding = {
      "one-of-several",
      record::Severity::warning,
      fmt::format(
          "the launcher started {} processes ({}): rank 0 measured by itself, on the {} CPU{} that it may use, and the "
          "others did nothing; mpirun -n {} ridge allreduce measures between them",
          launch->size, launch->told_by, cpus, cpus == 1 ? "" : "s", launch->size),
      {}};
  return found;
}

bool has_engines(const bench::Registry& registry, const std::string& family) {
  return std::any_of(registry.begin(), registry.end(), [&](const bench::Definition& each) {
    return each.family() == family && std::any_of(each.axes.begin(), each.axes.end(),
                                                  [](const bench::Axis& axis) { return axis.name == "engine"; });
  });
}

std::optional<Exit> measure_by_processes(const Invocation& invocation, const std::string& family,
                                         const MeasureOptions& options, const std::string& suite, View view,
                                         const std::function<void(record::Report&)>& complete) {
  if (!has_engines(*invocation.registry, family)) return std::nullopt;
  const auto launch = collectives::mpi::launch();
  if (!by_processes(options, launch)) return std::nullopt;
  if (!suite.empty()) throw bench::UsageError("--suite is for one process: give sizes and algorithms here");
  const Launch mine = launch.value_or(Launch{"no launcher", 0, 1});
  auto gpu = gpu_of_rank(options, mine);
  if (!gpu && !mine.address.empty())
    throw bench::UsageError(
        fmt::format("{} ranks by torchrun's variables (WORLD_SIZE) are for GPUs, whose data NCCL moves: on CPUs start "
                    "them by mpirun "
                    "or srun",
                    mine.size));
  MeasureOptions given = for_ranks(options, mine.size, launch.has_value(), gpu.has_value());
  if (gpu) given.device = gpu->name;
  const bench::Settings settings = settings_of(given, {});
  auto terms = terms_of(invocation, mine, settings);
  terms.gpu = std::move(gpu);
  if (mine.rank > 0) return options.dry_run ? Exit::success : follow(std::move(terms));
  terms.interrupted = [] { return SignalGuard::caught() != 0; };
  World world(std::move(terms));
  const bench::Registry registry = bench::collective::of_processes(*invocation.registry, world);
  Invocation by_ranks = invocation;
  by_ranks.registry = &registry;
  Exit status =
      measure(by_ranks, family, given, {{{family}, given.axes}}, false, settings, view, [&](record::Report& report) {
        bench::collective::add_ranks(report, world);
        if (complete) complete(report);
      });
  // Where nothing ran, measure() has said why.
  if (!world.trouble().empty() && status != Exit::nothing_ran)
    write_stderr(fmt::format("ridge: {}\n", world.trouble()));
  if (world.differs()) status = record::strongest(std::vector{status, Exit::usage});
  return end(world, status);
}

}  // namespace ridge::cmd
