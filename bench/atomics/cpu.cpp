// Counting and handing over by the threads of a team.
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "bench/atomics/points.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::atomics {
namespace {

namespace ra = ridge::atomics;

class CountCase final : public Case {
 public:
  CountCase(CpuContext& context, const record::Point& point, Count count)
      : team_(context.device.team(static_cast<int>(point.integer("threads")))),
        layout_(ra::cpu_layout(counters_of(point), team_.size())),
        count_(count),
        words_((team_.size() - 1) / layout_.sharing * layout_.apart + 1),
        found_(static_cast<std::size_t>(team_.size())) {
    counters_ = context.arena.borrow(words_ * 8 + guard_bytes).as<std::uint64_t>();
    std::memset(counters_, 0, static_cast<std::size_t>(words_ * 8));
  }

  void run(std::int64_t repetitions) override {
    team_.parallel([this, repetitions](int rank) {
      found_[static_cast<std::size_t>(rank)].sum =
          count_(counters_ + rank / layout_.sharing * layout_.apart, repetitions * cpu_times);
    });
  }

  // Counters must end at the additions made on them, words between them and behind them as they were, and what was
  // found must be each number below the end once.
  record::Verification verify() override {
    std::memset(counters_, 0, static_cast<std::size_t>(words_ * 8));
    std::memset(counters_ + words_, stream::poison_byte, guard_bytes);
    run(1);
    const auto additions = static_cast<std::uint64_t>(layout_.sharing * cpu_times);
    record::Verification result;
    result.status = record::Check::failed;
    result.max_error = 0;
    result.bound = 0;
    for (std::int64_t word = 0; word < words_; ++word) {
      const std::uint64_t want = word % layout_.apart == 0 ? additions : 0;
      if (counters_[word] != want) {
        result.reason = fmt::format("word {} is {}, not {}", word, counters_[word], want);
        return result;
      }
    }
    std::uint64_t found = 0;
    for (const Found& each : found_) found += each.sum;
    const auto counters = static_cast<std::uint64_t>(team_.size() / layout_.sharing);
    if (found != counters * ra::found_by(additions))
      result.reason = "additions did not find each number once";
    else if (!stream::untouched(counters_ + words_, guard_bytes))
      result.reason = "wrote behind the last counter";
    else
      result.status = record::Check::passed;
    result.checked = words_ + team_.size();
    return result;
  }

  device::Stream& stream() override { return team_; }

 private:
  struct alignas(128) Found {
    std::uint64_t sum = 0;
  };

  device::cpu::Team& team_;
  ra::Layout layout_;
  Count count_;
  std::int64_t words_;
  std::uint64_t* counters_ = nullptr;  // (words_), then guard_bytes
  std::vector<Found> found_;
};

class HandoverCase final : public Case {
 public:
  explicit HandoverCase(CpuContext& context) : team_(context.device.team(2)) {
    word_ = context.arena.borrow(8).as<std::uint64_t>();
    *word_ = 0;
  }

  void run(std::int64_t repetitions) override {
    team_.parallel([this, repetitions](int rank) { ra::cpu_hand_over(word_, rank, repetitions * handover_trips); });
  }

  record::Verification verify() override {
    *word_ = 0;
    run(1);
    record::Verification result;
    result.checked = 1;
    result.max_error = 0;
    result.bound = 0;
    const bool right = *word_ == static_cast<std::uint64_t>(2 * handover_trips);
    result.status = right ? record::Check::passed : record::Check::failed;
    if (!right) result.reason = fmt::format("the word ended at {}, not {}", *word_, 2 * handover_trips);
    return result;
  }

  device::Stream& stream() override { return team_; }

 private:
  device::cpu::Team& team_;
  std::uint64_t* word_ = nullptr;
};

}  // namespace

std::unique_ptr<Case> prepare_count(CpuContext& context, const record::Point& point, Count count) {
  if (counters_of(point) == ra::Counters::warp)
    throw device::Absent("a CPU has no warps: its counters are one, neighbours or spread");
  return std::make_unique<CountCase>(context, point, count);
}

std::unique_ptr<Case> prepare_add_cpu(CpuContext& context, const record::Point& point) {
  return prepare_count(context, point, ra::cpu_add);
}

std::unique_ptr<Case> prepare_cas_cpu(CpuContext& context, const record::Point& point) {
  return prepare_count(context, point, ra::cpu_cas);
}

std::unique_ptr<Case> prepare_handover_cpu(CpuContext& context, const record::Point&) {
  if (context.device.usable_threads() < 2)
    throw device::Absent("only one core may be used: there is no other to hand over to");
  return std::make_unique<HandoverCase>(context);
}

}  // namespace ridge::bench::atomics
