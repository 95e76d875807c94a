// One world for all cases; an interval is between two events on this rank's stream.
#include "collectives/nccl_ranks/cuda_share.hpp"

#include <fmt/format.h>

#include <chrono>

#include "collectives/nccl/cuda_arrays.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/nccl/table.hpp"

namespace ridge::collectives {
namespace {

namespace cuda = device::cuda;
using bench::collective::GpuArrays;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// What rank 0 hands on: the id, or why there is none, so that nobody waits for a rank that has given up.
struct Word {
  nccl::Id id{};
  char error[128] = {};
};
static_assert(sizeof(Word) % 2 == 0);

// This process' place in the NCCL world.
struct Place {
  cuda::Device& device;
  std::shared_ptr<const nccl::Table> table;
  const RidgeMpi& api;
  int rank;
  int ranks;
  std::unique_ptr<nccl::World> world;

  nccl::World& joined() {
    if (world) return *world;
    Word word;
    if (rank == 0) {
      try {
        word.id = nccl::new_id(*table);
      } catch (const std::exception& error) {
        fmt::format_to_n(word.error, sizeof word.error - 1, "{}", error.what());
      }
    }
    // As 16-bit numbers, which every MPI moves as they are.
    mpi::require("Bcast", api.broadcast(&word, sizeof word / 2, static_cast<std::int32_t>(reduce::Type::f16)));
    if (word.error[0] != 0) throw device::Error(word.error);
    world = std::make_unique<nccl::World>(table, device.stream(), rank, ranks, word.id);
    return *world;
  }
};

class ShareOnGpu final : public mpi::Share {
 public:
  ShareOnGpu(Place& place, const Job& job)
      : place_(place),
        job_(job),
        task_(bench::collective::task_of(job)),
        world_(place.joined()),
        stream_(place.device.stream()),
        arena_(place.device.make_arena(bench::collective::arena_bytes(job))),
        buffers_(stream_, *arena_, job, place.rank),
        arrays_(buffers_.arrays()) {
    buffers_.fill(job.zero);
  }

  mpi::Reply verify() override {
    mpi::Reply reply;
    buffers_.fill(false);
    together();
    queue(1);
    stream_.synchronize();
    world_.check();
    reply.wrong = buffers_.wrong();
    reply.checked = buffers_.checked();
    buffers_.fill(job_.zero);
    together();
    return reply;
  }

  // NCCL may wait in a call for what was queued before it, so nothing is held back, and launching is inside.
  double run(std::int64_t repetitions) override {
    together();
    return stream_
        .time([&] {
          stream_.open_gate();
          queue(repetitions);
        })
        .seconds;
  }

  // Each ends before the next begins, by the host's clock.
  std::vector<Passage> pass(std::int64_t n) override {
    std::vector<Passage> all(static_cast<std::size_t>(n));
    together();
    for (Passage& passage : all) {
      passage.came = now();
      queue(1);
      stream_.synchronize();
      passage.left = now();
      passage.waited = passage.left - passage.came;
    }
    return all;
  }

  void flush() override { stream_.flush_caches(); }
  std::vector<Passage> pass_late() override { throw device::Absent("NCCL has no barrier"); }

 private:
  void together() { mpi::require("Barrier", place_.api.barrier()); }
  void queue(std::int64_t repetitions) {
    place_.device.context()->make_current();
    for (std::int64_t i = 0; i < repetitions; ++i) world_.queue(task_, {&arrays_, 1});
  }

  Place& place_;
  Job job_;
  nccl::Task task_;
  nccl::World& world_;
  cuda::Stream& stream_;
  std::unique_ptr<device::Arena> arena_;
  GpuArrays buffers_;
  nccl::Arrays arrays_;
};

}  // namespace

mpi::MakeShare shares_on_gpu(cuda::Device& device, std::shared_ptr<const nccl::Table> table, const RidgeMpi& api,
                             int rank, int ranks) {
  const auto place = std::make_shared<Place>(Place{device, std::move(table), api, rank, ranks, nullptr});
  return [place](const Job& job) {
    // Before the world is joined: every rank finds the same, and none waits for another.
    const auto lacks = bench::collective::lacking(*place->table, place->device, job);
    if (!lacks.empty()) throw device::Absent(lacks);
    return std::make_unique<ShareOnGpu>(*place, job);
  };
}

}  // namespace ridge::collectives
