// Looks at the GPUs and at NCCL; nothing of it is needed where ranks are on CPUs.
#include "cmd/gpu_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "bench/harness/plan.hpp"
#include "cmd/inquire.hpp"
#include "kernels/device/library_search.hpp"
#ifdef RIDGE_WITH_NCCL
#include "collectives/nccl_ranks/cuda_share.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/nccl/table.hpp"
#endif

namespace ridge::cmd {

using collectives::mpi::GpuOfRank;
using device::Kind;

#ifdef RIDGE_WITH_NCCL

namespace {

// NCCL for that GPU, or why there is none.
void add_library(GpuOfRank& mine, const std::shared_ptr<Surveyed>& surveyed, const device::Name& name) {
  if (name.kind == Kind::ptx) {
    mine.library = "the stand-in for NCCL";
    mine.absent = "the stand-in for NCCL joins ranks of one process only: these ranks agreed, and measured nothing";
    return;
  }
  try {
    const auto table = nccl::load(device::searching_opener(
        device::library_folders([](const char* variable) -> const char* { return std::getenv(variable); })));
    mine.library = table->source;
    mine.shares = [surveyed, name, table](const RidgeMpi& api, int rank, int ranks) {
      return collectives::shares_on_gpu(*surveyed->open(name).cuda, table, api, rank, ranks);
    };
  } catch (const device::Absent& why) {
    mine.library = "no NCCL";
    mine.absent = why.what();
  }
}

}  // namespace

std::optional<GpuOfRank> gpu_of_rank(const MeasureOptions& options, const collectives::mpi::Launch& launch) {
  if (options.device == "cpu") return std::nullopt;
  const auto surveyed = std::make_shared<Surveyed>();
  device::Name name = bench::resolve_devices(options.device, surveyed->inventory()).front();
  if (name.kind == Kind::cpu) return std::nullopt;
  const auto& gpus = name.kind == Kind::ptx ? surveyed->gpus().reference().gpus : surveyed->gpus().survey().gpus;
  if (!device::parse_name(options.device) && !gpus.empty())
    name = gpus[static_cast<std::size_t>(launch.local_rank) % gpus.size()].name;
  const auto facts = std::find_if(gpus.begin(), gpus.end(), [&](const auto& each) { return each.name == name; });
  if (facts == gpus.end()) throw device::Error(fmt::format("rank {}: there is no device {}", launch.rank, name.text()));
  GpuOfRank mine;
  mine.name = name.text();
  mine.uuid = facts->uuid;
  mine.gpus = static_cast<int>(gpus.size());
  add_library(mine, surveyed, name);
  return mine;
}

#else

std::optional<GpuOfRank> gpu_of_rank(const MeasureOptions&, const collectives::mpi::Launch&) {
  return std::nullopt;
}

#endif

}  // namespace ridge::cmd
