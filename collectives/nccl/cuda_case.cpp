// Arrays of each rank on the host, where they are filled and compared, and on its GPU.
#include "collectives/nccl/cuda_case.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "collectives/nccl/cuda_arrays.hpp"
#include "collectives/operations/verdict.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/device/cuda/together.hpp"
#include "kernels/device/library_search.hpp"
#include "kernels/nccl/table.hpp"
#include "kernels/ptx/nccl/stand_in.hpp"

namespace ridge::bench::collective {
namespace {

namespace cuda = device::cuda;
using collectives::Job;

class Rank {
 public:
  Rank(CudaContext& context, cuda::Device& device, const Job& job, int rank)
      : own_(&device != &context.device), stream_(device.stream()), done_(device.context(), false) {
    if (own_) {
      try {
        arena_ = device.make_arena(arena_bytes(job));
      } catch (const device::OutOfMemory& error) {
        throw device::Error(fmt::format("{} on {}", error.what(), device.name().text()));
      }
    }
    arrays_ = std::make_unique<GpuArrays>(stream_, own_ ? *arena_ : context.arena, job, rank);
  }

  [[nodiscard]] bool own() const { return own_; }
  GpuArrays& arrays() { return *arrays_; }
  cuda::Stream& stream() { return stream_; }
  cuda::Event& done() { return done_; }

 private:
  bool own_;
  cuda::Stream& stream_;
  cuda::Event done_;
  std::unique_ptr<device::Arena> arena_;  // null: the run's
  std::unique_ptr<GpuArrays> arrays_;
};

class NcclCase final : public Case {
 public:
  NcclCase(CudaContext& context, const Job& job, record::Work work, std::shared_ptr<const nccl::Table> table)
      : job_(job),
        task_(task_of(job)),
        work_(std::move(work)),
        measured_(context.device.stream()),
        begun_(context.device.context(), false) {
    cuda::Devices& devices = context.device.all();
    if (job.ranks > devices.count())
      throw device::Absent(fmt::format("needs {} GPUs; the machine has {}", job.ranks, devices.count()));
    const auto lacks = lacking(*table, context.device, job);
    if (!lacks.empty()) throw device::Absent(lacks);
    std::vector<cuda::Stream*> streams;
    for (int r = 0; r < job.ranks; ++r) {
      cuda::Device& device = devices.open((context.device.name().index + r) % devices.count());
      ranks_.push_back(std::make_unique<Rank>(context, device, job, r));
      arrays_.push_back(ranks_.back()->arrays().arrays());
      streams.push_back(&ranks_.back()->stream());
    }
    stream_ = std::make_unique<cuda::TogetherStream>(measured_, std::vector(streams.begin() + 1, streams.end()));
    world_ = std::make_unique<nccl::World>(std::move(table), std::move(streams));
    fill(job_.zero);
  }

  // NCCL may wait in a call for what was queued before it, so nothing is held back for the whole interval, and what its
  // launches take is in it, as in a program.
  void run(std::int64_t repetitions) override {
    measured_.open_gate();
    measured_.record(begun_);
    for (const auto& rank : ranks_)
      if (rank->own()) rank->stream().wait(begun_);
    for (std::int64_t i = 0; i < repetitions; ++i) world_->queue(task_, arrays_);
    for (const auto& rank : ranks_) {
      if (!rank->own()) continue;
      rank->stream().record(rank->done());
      measured_.wait(rank->done());
    }
  }

  record::Verification verify() override {
    fill(false);
    run(1);
    measured_.synchronize();
    world_->check();
    std::vector<std::int64_t> wrong;
    std::int64_t checked = 0;
    for (const auto& rank : ranks_) {
      wrong.push_back(rank->arrays().wrong());
      checked += rank->arrays().checked();
    }
    fill(job_.zero);
    return verdict(wrong, checked);
  }

  device::Stream& stream() override { return *stream_; }

  [[nodiscard]] std::optional<record::Work> work() const override {
    record::Work all = work_;
    const auto by = world_->implementation();
    all.counting += "; by " + by.at("library");
    if (const auto set = by.find("environment"); set != by.end()) all.counting += ", steered by " + set->second;
    return all;
  }

 private:
  void fill(bool zero) {
    for (const auto& rank : ranks_) rank->arrays().fill(zero);
  }

  Job job_;
  nccl::Task task_;
  record::Work work_;
  cuda::Stream& measured_;
  cuda::Event begun_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<nccl::Arrays> arrays_;
  std::unique_ptr<cuda::TogetherStream> stream_;
  std::unique_ptr<nccl::World> world_;
};

}  // namespace

std::unique_ptr<Case> prepare_nccl(CudaContext& context, const Job& job, record::Work work,
                                   std::shared_ptr<const nccl::Table> table) {
  const auto environment = [](const char* name) -> const char* {
    return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here writes the environment
  };
  if (!table)
    table = context.device.name().kind == device::Kind::ptx
                ? ptx::Nccl(context.device.driver()).table()
                : nccl::load(device::searching_opener(device::library_folders(environment)));
  return std::make_unique<NcclCase>(context, job, std::move(work), std::move(table));
}

}  // namespace ridge::bench::collective
