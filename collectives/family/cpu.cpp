// An operation between the threads of this process: ranks are the threads of a team, each on a CPU of its own.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "collectives/communicator/threads.hpp"
#include "collectives/family/points.hpp"
#include "collectives/operations/verdict.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::bench::collective {
namespace {

using collectives::Job;
using collectives::RankWork;

// Looks at a flag before a waiting rank gives its CPU away: for ever, in effect, where each rank has one.
constexpr int patience = 1 << 20;

class ThreadsCase final : public Case {
 public:
  ThreadsCase(CpuContext& context, const Job& job)
      : job_(job),
        team_(context.device.team(job.ranks)),
        world_(job.ranks, job.ranks > context.device.usable_threads() ? 0 : patience) {
    for (int r = 0; r < job.ranks; ++r)
      ranks_.emplace_back(job, r, [&](std::int64_t bytes) { return context.arena.borrow(bytes).data; });
    fill(job_.zero);
  }

  void run(std::int64_t repetitions) override {
    on_all([this, repetitions](int rank) {
      for (std::int64_t i = 0; i < repetitions; ++i) of(rank).once(world_.rank(rank));
    });
  }

  record::Verification verify() override {
    if (job_.collective == collectives::Collective::barrier) return verify_barrier();
    std::vector<std::int64_t> wrong(ranks_.size());
    fill(false);
    run(1);
    on_all([&](int rank) { wrong[static_cast<std::size_t>(rank)] = of(rank).wrong(); });
    fill(job_.zero);
    std::int64_t checked = 0;
    for (const RankWork& rank : ranks_) checked += rank.checked();
    return verdict(wrong, checked);
  }

  device::Stream& stream() override { return team_; }

 private:
  RankWork& of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }

  template <class Body>
  void on_all(const Body& body) {
    team_.parallel([&](int rank) {
      try {
        body(rank);
      } catch (...) {
        world_.break_for_all();
        throw;
      }
    });
  }

  record::Verification verify_barrier() {
    std::vector<std::vector<collectives::Passage>> passages(ranks_.size());
    on_all([&](int rank) { passages[static_cast<std::size_t>(rank)] = of(rank).pass_late(world_.rank(rank)); });
    return verdict(passages);
  }

  // Every rank's arrays by its own thread.
  void fill(bool zero) {
    on_all([&](int rank) { of(rank).fill(zero); });
  }

  Job job_;
  device::cpu::Team& team_;
  collectives::ThreadWorld world_;
  std::vector<RankWork> ranks_;
};

}  // namespace

std::unique_ptr<Case> prepare_threads(const collectives::Operation& operation, CpuContext& context,
                                      const record::Point& point) {
  Job job = job_of(operation, point);
  job.seed = context.seed;
  job.zero = context.fill == Fill::zero;
  return std::make_unique<ThreadsCase>(context, job);
}

}  // namespace ridge::bench::collective
