// What the family's cases share: a team, each thread's part of a repetition, and a check that is spread the same way.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "bench/roofline/points.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/random/counter.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::roofline {

class TeamCase : public Case {
 public:
  // Threads share no output, so none waits for another between repetitions.
  void run(std::int64_t repetitions) override {
    team_.parallel([this, repetitions](int rank) {
      for (std::int64_t i = 0; i < repetitions; ++i) repeat(rank);
    });
  }

  record::Verification verify() override {
    fill(true);
    team_.parallel([this](int rank) { poison(rank); });
    std::memset(behind(), stream::poison_byte, guard_bytes);
    run(1);
    std::vector<Slot> slots(static_cast<std::size_t>(team_.size()));
    team_.parallel([&](int rank) { slots[static_cast<std::size_t>(rank)].check = check(rank); });
    stream::Check all;
    for (const Slot& slot : slots) all.add(slot.check);
    record::Verification result;
    result.checked = all.checked;
    result.max_error = all.max_error;
    result.bound = 1;
    result.status = record::Check::failed;
    if (all.wrong > 0) {
      result.reason = fmt::format("{} of {} results wrong, the first at {}", all.wrong, all.checked, all.first_wrong);
    } else if (!stream::untouched(behind(), guard_bytes)) {
      result.reason = "wrote behind the last result";
    } else {
      result.status = record::Check::passed;
    }
    fill(false);
    return result;
  }

  device::Stream& stream() override { return team_; }

 protected:
  TeamCase(CpuContext& context, int threads)
      : team_(context.device.team(threads)), seed_(context.seed), zero_(context.fill == Fill::zero) {}

  // Rank's part of one repetition.
  virtual void repeat(int rank) = 0;
  // Puts into the inputs what is timed, or what a check is made for.
  virtual void fill(bool for_check) = 0;
  virtual void poison(int rank) = 0;
  // Errors in units of the bound.
  virtual stream::Check check(int rank) = 0;
  // Where the guard behind the output begins.
  virtual void* behind() = 0;

  [[nodiscard]] device::cpu::Share part(std::int64_t count, int rank, std::int64_t line) const {
    return device::cpu::share(count, rank, team_.size(), line);
  }
  template <class T>
  [[nodiscard]] T number(int which, std::int64_t index) const {
    if (zero_) return 0;
    return random::full_mantissa<T>(
        random::bits(random::seed_of(seed_, static_cast<std::uint64_t>(which)), static_cast<std::uint64_t>(index)));
  }
  // Full mantissas even where zeroes are timed: zeroes would hide most mistakes.
  template <class T>
  void fill_numbers(T* array, int which, std::int64_t begin, std::int64_t end, bool for_check) const {
    for (std::int64_t i = begin; i < end; ++i)
      array[i] = zero_ && !for_check
                     ? T{0}
                     : random::full_mantissa<T>(random::bits(random::seed_of(seed_, static_cast<std::uint64_t>(which)),
                                                             static_cast<std::uint64_t>(i)));
  }

  device::cpu::Team& team_;
  std::uint64_t seed_;
  bool zero_;

 private:
  struct alignas(64) Slot {
    stream::Check check;
  };
};

// One result against what it should be, at most `bound` apart; a NaN is wrong.
inline void compare(stream::Check& check, std::int64_t index, long double have, long double want, double bound) {
  ++check.checked;
  const auto error = static_cast<double>(have > want ? have - want : want - have);
  const bool right = error <= bound;
  if (!right && check.wrong++ == 0) check.first_wrong = index;
  if (std::isfinite(error) && bound > 0) check.max_error = std::max(check.max_error, error / bound);
}

}  // namespace ridge::bench::roofline
