// Arrays of each rank on the host, where they are filled and compared, and on its GPU.
#include "collectives/nccl/cuda_case.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <deque>
#include <stdexcept>

#include "collectives/operations/verdict.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/device/cuda/together.hpp"
#include "kernels/device/library_search.hpp"
#include "kernels/nccl/table.hpp"
#include "kernels/nccl/world.hpp"
#include "kernels/ptx/nccl/stand_in.hpp"

namespace ridge::bench::collective {
namespace {

namespace cuda = device::cuda;
using collectives::Collective;
using collectives::Job;
using collectives::RankWork;

nccl::Operation nccl_operation(Collective collective) {
  switch (collective) {
    case Collective::allreduce:
      return nccl::Operation::allreduce;
    case Collective::reduce:
      return nccl::Operation::reduce;
    case Collective::broadcast:
      return nccl::Operation::broadcast;
    case Collective::allgather:
      return nccl::Operation::allgather;
    case Collective::reducescatter:
      return nccl::Operation::reducescatter;
    case Collective::alltoall:
      return nccl::Operation::alltoall;
    case Collective::sendrecv:
      return nccl::Operation::sendrecv;
    case Collective::barrier:
      break;
  }
  throw device::Absent("NCCL has no barrier");
}

// A piece of memory that both sides have.
struct Buffer {
  std::vector<std::byte> on_host;
  std::byte* on_gpu = nullptr;
};

class Rank {
 public:
  Rank(CudaContext& context, cuda::Device& device, const Job& job, int rank)
      : own_(&device != &context.device), device_(device), stream_(device.stream()), done_(device.context(), false) {
    if (own_) {
      std::int64_t needed = 0;
      for (const std::int64_t bytes : buffer_bytes(job)) needed += device::borrow_cost(bytes);
      try {
        arena_ = device.make_arena(needed);
      } catch (const device::OutOfMemory& error) {
        throw device::Error(fmt::format("{} on {}", error.what(), device.name().text()));
      }
    }
    device::Arena& arena = own_ ? *arena_ : context.arena;
    work_ = std::make_unique<RankWork>(job, rank, [&](std::int64_t bytes) {
      buffers_.push_back(
          {std::vector<std::byte>(static_cast<std::size_t>(bytes)), arena.borrow(bytes).as<std::byte>()});
      return buffers_.back().on_host.data();
    });
  }

  void fill(bool zero) {
    work_->fill(zero);
    for (Buffer& each : buffers_) stream_.copy_to_device(each.on_gpu, each.on_host.data(), bytes_of(each));
    stream_.synchronize();
  }
  std::int64_t wrong() {
    for (Buffer& each : buffers_) stream_.copy_to_host(each.on_host.data(), each.on_gpu, bytes_of(each));
    stream_.synchronize();
    return work_->wrong();
  }
  [[nodiscard]] std::int64_t checked() const { return work_->checked(); }

  // A rank that brings nothing, as all but the root of a broadcast, reads from where it writes.
  [[nodiscard]] nccl::Arrays arrays() const {
    const auto& mine = work_->arrays();
    return {on_gpu(mine.in != nullptr ? mine.in : mine.out), on_gpu(mine.out)};
  }

  [[nodiscard]] bool own() const { return own_; }
  cuda::Stream& stream() { return stream_; }
  cuda::Event& done() { return done_; }

 private:
  static std::int64_t bytes_of(const Buffer& buffer) { return static_cast<std::int64_t>(buffer.on_host.size()); }
  [[nodiscard]] std::byte* on_gpu(const std::byte* on_host) const {
    for (const Buffer& each : buffers_) {
      const std::ptrdiff_t offset = on_host - each.on_host.data();
      if (offset >= 0 && offset < bytes_of(each)) return each.on_gpu + offset;
    }
    throw std::logic_error("an array that was never borrowed");
  }

  bool own_;
  cuda::Device& device_;
  cuda::Stream& stream_;
  cuda::Event done_;
  std::unique_ptr<device::Arena> arena_;  // null: the run's
  std::deque<Buffer> buffers_;
  std::unique_ptr<RankWork> work_;
};

class NcclCase final : public Case {
 public:
  NcclCase(CudaContext& context, const Job& job, record::Work work, std::shared_ptr<const nccl::Table> table)
      : job_(job),
        task_{nccl_operation(job.collective), job.rule, job.count},
        work_(std::move(work)),
        measured_(context.device.stream()),
        begun_(context.device.context(), false) {
    cuda::Devices& devices = context.device.all();
    if (job.ranks > devices.count())
      throw device::Absent(fmt::format("needs {} GPUs; the machine has {}", job.ranks, devices.count()));
    std::vector<cuda::Stream*> streams;
    for (int r = 0; r < job.ranks; ++r) {
      cuda::Device& device = devices.open((context.device.name().index + r) % devices.count());
      ranks_.push_back(std::make_unique<Rank>(context, device, job, r));
      arrays_.push_back(ranks_.back()->arrays());
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
      wrong.push_back(rank->wrong());
      checked += rank->checked();
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
    for (const auto& rank : ranks_) rank->fill(zero);
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
