// What the family's cases share: a team, each thread's part of a repetition, and a check that is spread the same way.
#pragma once

#include <cstring>
#include <vector>

#include "bench/roofline/checking.hpp"
#include "bench/roofline/points.hpp"
#include "kernels/device/cpu/device.hpp"

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
    const auto result = verdict(all, stream::untouched(behind(), guard_bytes));
    fill(false);
    return result;
  }

  device::Stream& stream() override { return team_; }

 protected:
  TeamCase(CpuContext& context, int threads)
      : team_(context.device.team(threads)), seed_(context.seed), numbers_{context.seed, context.fill == Fill::zero} {}

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
  void fill_numbers(T* array, int which, std::int64_t begin, std::int64_t end, bool for_check) const {
    for (std::int64_t i = begin; i < end; ++i) array[i] = numbers_.at<T>(which, i, for_check);
  }

  device::cpu::Team& team_;
  std::uint64_t seed_;
  Numbers numbers_;

 private:
  struct alignas(64) Slot {
    stream::Check check;
  };
};

}  // namespace ridge::bench::roofline
