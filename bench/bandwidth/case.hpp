// One point of the bandwidth family on the CPU: arrays shared out over a team, one kernel, and its proof.
#pragma once

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "bench/bandwidth/prepare.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::bandwidth {

template <class T>
class StreamCase final : public Case {
 public:
  // Borrows and fills its arrays; every thread touches its share first. `kernel` is the version under test of `op`.
  StreamCase(stream::Op op, stream::Kernel<T> kernel, device::cpu::Team& team, CpuContext& context, std::int64_t count)
      : facts_(stream::facts(op)),
        kernel_(kernel),
        team_(team),
        count_(count),
        random_(context.seed, stream::Content::random),
        whole_(context.seed, stream::Content::whole),
        timed_(context.seed, context.fill == Fill::zero ? stream::Content::zero : stream::Content::random),
        results_(static_cast<std::size_t>(team.size())) {
    const auto borrow = [&] {
      T* array = context.arena.borrow(count * std::int64_t{sizeof(T)} + guard_bytes).template as<T>();
      std::memset(array + count, stream::decoy_byte, guard_bytes);
      return array;
    };
    if (facts_.arrays_written > 0) a_ = borrow();
    if (facts_.arrays_read > 0) b_ = borrow();
    if (facts_.arrays_read > 1) c_ = borrow();
    fill(timed_);
    poison();
  }

  void run(std::int64_t repetitions) override { run_with(kernel_, repetitions); }
  record::Verification verify() override;
  device::Stream& stream() override { return team_; }

 private:
  struct alignas(64) Slot {  // a line of its own for each thread
    stream::Reduction found;
    stream::Check check;
    stream::ReferenceReduction<T> want;
  };

  [[nodiscard]] device::cpu::Share part(int rank) const {
    return device::cpu::share(count_, rank, team_.size(), 64 / std::int64_t{sizeof(T)});
  }
  void run_with(stream::Kernel<T> kernel, std::int64_t repetitions);
  void fill(const stream::Data& data);
  void poison();
  record::Verification verify_target();
  record::Verification verify_read();
  record::Verification verify_dot();
  stream::Reduction found() const;
  stream::ReferenceReduction<T> reference(const stream::Data& data);

  const stream::Facts& facts_;
  stream::Kernel<T> kernel_;
  device::cpu::Team& team_;
  std::int64_t count_;
  stream::Data random_, whole_, timed_;
  T* a_ = nullptr;  // (count), then guard_bytes
  T* b_ = nullptr;  // likewise
  T* c_ = nullptr;  // likewise
  std::vector<Slot> results_;
};

// The measured loop. Threads share no element, so none waits for another between repetitions: a barrier there would
// cost as much as a whole repetition in the first-level cache. The interval ends when the last thread has ended.
template <class T>
void StreamCase<T>::run_with(stream::Kernel<T> kernel, std::int64_t repetitions) {
  team_.parallel([this, kernel, repetitions](int rank) {
    const stream::Operands<T> operands{a_, b_, c_, stream::scalar<T>};
    const auto [begin, end] = part(rank);
    stream::Reduction last;
    for (std::int64_t i = 0; i < repetitions; ++i) last = kernel(operands, begin, end);
    results_[static_cast<std::size_t>(rank)].found = last;
  });
}

template <class T>
void StreamCase<T>::fill(const stream::Data& data) {
  team_.parallel([&](int rank) {
    const auto [begin, end] = part(rank);
    if (b_ != nullptr) data.fill(b_, 0, begin, end);
    if (c_ != nullptr) data.fill(c_, 1, begin, end);
  });
}

template <class T>
void StreamCase<T>::poison() {
  if (a_ == nullptr) return;
  team_.parallel([&](int rank) {
    const auto [begin, end] = part(rank);
    std::memset(a_ + begin, stream::poison_byte, static_cast<std::size_t>(end - begin) * sizeof(T));
  });
  std::memset(a_ + count_, stream::poison_byte, guard_bytes);
}

// Always on random data, whatever is timed: zeroes would hide most mistakes.
template <class T>
record::Verification StreamCase<T>::verify() {
  fill(random_);
  record::Verification result = facts_.arrays_written > 0      ? verify_target()
                                : facts_.op == stream::Op::dot ? verify_dot()
                                                               : verify_read();
  fill(timed_);
  return result;
}

template <class T>
record::Verification StreamCase<T>::verify_target() {
  poison();
  run_with(kernel_, 1);
  team_.parallel([&](int rank) {
    const auto [begin, end] = part(rank);
    results_[static_cast<std::size_t>(rank)].check = stream::check_target(facts_.op, a_, random_, begin, end);
  });
  stream::Check all;
  for (const Slot& slot : results_) all.add(slot.check);
  record::Verification result;
  result.checked = all.checked;
  result.max_error = all.max_error;
  result.bound = stream::bound(facts_.op);
  result.status = record::Check::failed;
  if (all.wrong > 0) {
    result.reason = fmt::format("{} of {} elements wrong, the first at {}", all.wrong, all.checked, all.first_wrong);
  } else if (!stream::untouched(a_ + count_, guard_bytes)) {
    result.reason = "wrote behind the last element";
  } else {
    result.status = record::Check::passed;
  }
  return result;
}

template <class T>
stream::Reduction StreamCase<T>::found() const {
  stream::Reduction all;
  for (const Slot& slot : results_) {
    all.sum += slot.found.sum;
    all.bits ^= slot.found.bits;
  }
  return all;
}

template <class T>
stream::ReferenceReduction<T> StreamCase<T>::reference(const stream::Data& data) {
  team_.parallel([&](int rank) {
    const auto [begin, end] = part(rank);
    results_[static_cast<std::size_t>(rank)].want = stream::reference_reduction<T>(data, begin, end);
  });
  stream::ReferenceReduction<T> all;
  for (const Slot& slot : results_) {
    all.sum += slot.want.sum;
    all.magnitude += slot.want.magnitude;
    all.bits ^= slot.want.bits;
  }
  return all;
}

template <class T>
record::Verification StreamCase<T>::verify_read() {
  run_with(kernel_, 1);
  const bool right = found().bits == reference(random_).bits;
  record::Verification result;
  result.checked = count_;
  result.max_error = 0;
  result.bound = 0;
  result.status = right ? record::Check::passed : record::Check::failed;
  if (!right) result.reason = "the exclusive or of all elements is wrong";
  return result;
}

// Twice: whole numbers, where the sum must be exact, so that one element lost or counted double shows however long the
// arrays; then real data, within the error bound.
template <class T>
record::Verification StreamCase<T>::verify_dot() {
  const auto sum_of = [&](const stream::Data& data) {
    fill(data);
    run_with(kernel_, 1);
    return found().sum;
  };
  record::Verification result;
  result.checked = count_;
  result.status = record::Check::failed;
  if (const auto want = static_cast<double>(reference(whole_).sum); sum_of(whole_) != want) {
    result.reason = fmt::format("the sum of whole numbers is {}, not {}", found().sum, want);
    return result;
  }
  const auto want = reference(random_);
  const auto magnitude = static_cast<double>(want.magnitude);
  result.bound = stream::dot_bound<T>(count_, magnitude);
  result.max_error = std::fabs(sum_of(random_) - static_cast<double>(want.sum));
  if (*result.max_error <= *result.bound) {
    result.status = record::Check::passed;
  } else {
    result.reason = fmt::format("the sum is off by {}, more than {}", *result.max_error, *result.bound);
  }
  return result;
}

}  // namespace ridge::bench::bandwidth
