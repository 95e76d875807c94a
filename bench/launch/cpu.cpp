// Fork and join of a team whose threads have nothing to do but to say that they were there.
#include <fmt/format.h>

#include <vector>

#include "bench/launch/points.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::bench::launch {
namespace {

class ForkJoinCase final : public Case {
 public:
  ForkJoinCase(CpuContext& context, int threads) : team_(context.device.team(threads)) {
    visits_ = context.arena.borrow(team_.size() * apart * std::int64_t{sizeof(std::int64_t)}).as<std::int64_t>();
    body_ = [this](int rank) { ++of(rank); };
    clear();
  }

  void run(std::int64_t repetitions) override {
    for (std::int64_t i = 0; i < repetitions; ++i) team_.parallel(body_);
  }

  // Every thread must have been there once for each fork.
  record::Verification verify() override {
    constexpr std::int64_t forks = 100;
    clear();
    run(forks);
    record::Verification result;
    result.checked = team_.size();
    result.max_error = 0;
    result.bound = 0;
    result.status = record::Check::passed;
    for (int rank = 0; rank < team_.size(); ++rank)
      if (of(rank) != forks) {
        result.status = record::Check::failed;
        result.reason = fmt::format("thread {} was called {} times in {} forks", rank, of(rank), forks);
      }
    return result;
  }

  device::Stream& stream() override { return team_; }

 private:
  // A thread's visits have two lines to themselves: some processors fetch lines in pairs.
  static constexpr std::int64_t apart = 16;
  [[nodiscard]] std::int64_t& of(int rank) const { return visits_[rank * apart]; }
  void clear() {
    for (int rank = 0; rank < team_.size(); ++rank) of(rank) = 0;
  }

  device::cpu::Team& team_;
  std::int64_t* visits_ = nullptr;  // (threads, apart)
  std::function<void(int)> body_;
};

}  // namespace

std::unique_ptr<Case> prepare_fork_join(CpuContext& context, const record::Point& point) {
  return std::make_unique<ForkJoinCase>(context, static_cast<int>(point.integer("threads")));
}

}  // namespace ridge::bench::launch
