// An operation between the threads of this process: ranks are the threads of a team, each on a CPU of its own.
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

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
  ThreadsCase(CpuContext& context, const Job& job, const Wrap& wrap)
      : job_(job),
        team_(context.device.team(job.ranks)),
        world_(job.ranks, job.ranks > context.device.usable_threads() ? 0 : patience) {
    for (int r = 0; r < job.ranks; ++r)
      ranks_.emplace_back(job, r, [&](std::int64_t bytes) { return context.arena.borrow(bytes).data; });
    for (int r = 0; r < job.ranks && wrap; ++r) wrapped_.push_back(wrap(world_.rank(r)));
    fill(job_.zero);
  }

  using Keep = std::function<void(std::vector<record::Rank>, Arrivals, std::optional<double> join_rate)>;
  // `cpu_each`: no rank waits for another's turn on a CPU.
  void told_to(Keep keep, const Known& known, bool cpu_each) {
    keep_ = std::move(keep);
    known_ = known;
    joins_ = cpu_each && join_count(job_) > 0;
  }

  void run(std::int64_t repetitions) override {
    on_all([this, repetitions](int rank) {
      collectives::Communicator& mine = communicator(rank);
      for (std::int64_t i = 0; i < repetitions; ++i) of(rank).once(mine);
    });
  }

  record::Verification verify() override {
    const auto verified = job_.collective == collectives::Collective::barrier ? verify_barrier() : verify_elements();
    if (verified.status == record::Check::passed && keep_) watch_ranks();
    return verified;
  }

  device::Stream& stream() override { return team_; }

 private:
  RankWork& of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  collectives::Communicator& communicator(int rank) {
    if (wrapped_.empty()) return world_.rank(rank);
    return *wrapped_[static_cast<std::size_t>(rank)];
  }

  record::Verification verify_elements() {
    std::vector<std::int64_t> wrong(ranks_.size());
    fill(false);
    run(1);
    on_all([&](int rank) { wrong[static_cast<std::size_t>(rank)] = of(rank).wrong(); });
    if (joins_) join_by_themselves();
    fill(job_.zero);
    std::int64_t checked = 0;
    for (const RankWork& rank : ranks_) checked += rank.checked();
    return verdict(wrong, checked);
  }

  void join_by_themselves() {
    std::vector<std::optional<double>> seconds(ranks_.size());
    on_all([&](int rank) { seconds[static_cast<std::size_t>(rank)] = of(rank).joining(communicator(rank)); });
    join_rate_ = join_rate_of(job_, seconds);
  }

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
    on_all([&](int rank) { passages[static_cast<std::size_t>(rank)] = of(rank).pass_late(communicator(rank)); });
    return verdict(passages);
  }

  Passages pass(std::int64_t times) {
    Passages passages(ranks_.size());
    on_all([&](int rank) { passages[static_cast<std::size_t>(rank)] = of(rank).pass(communicator(rank), times); });
    return passages;
  }

  void watch_ranks() {
    std::vector<record::Rank> who(ranks_.size());
    on_all([&](int rank) {
      record::Rank& mine = who[static_cast<std::size_t>(rank)];
      mine = {rank, host_name(), ::getpid(), std::nullopt};
      if (const int cpu = ::sched_getcpu(); cpu >= 0 && team_.pinned()) mine.cpu = cpu;
    });
    if (auto arrivals = watch([this](std::int64_t times) { return pass(times); }, known_))
      keep_(std::move(who), std::move(*arrivals), join_rate_);
  }

  // Every rank's arrays by its own thread.
  void fill(bool zero) {
    on_all([&](int rank) { of(rank).fill(zero); });
  }

  Job job_;
  device::cpu::Team& team_;
  collectives::ThreadWorld world_;
  std::vector<RankWork> ranks_;
  std::vector<std::unique_ptr<collectives::Communicator>> wrapped_;
  Keep keep_;
  Known known_;
  bool joins_ = false;
  std::optional<double> join_rate_;
};

}  // namespace

std::unique_ptr<Case> prepare_threads(const collectives::Operation& operation, CpuContext& context,
                                      const record::Point& point, std::shared_ptr<Trail> trail, const Wrap& wrap) {
  Job job = job_of(operation, point);
  job.seed = context.seed;
  job.zero = context.fill == Fill::zero;
  auto made = std::make_unique<ThreadsCase>(context, job, wrap);
  const bool enough = job.ranks <= context.device.usable_threads();
  if (trail)
    made->told_to(
        [&operation, point, trail, device = context.device.name().text()](auto who, Arrivals arrivals, auto join_rate) {
          trail->keep(operation, point, device, {std::move(who), std::move(arrivals), join_rate});
        },
        {true, enough && ranks_alike(operation, job)}, enough);
  return made;
}

}  // namespace ridge::bench::collective
