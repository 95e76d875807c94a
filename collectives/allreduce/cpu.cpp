// An all-reduce between the threads of this process: ranks are the threads of a team, each on a CPU of its own.
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "collectives/allreduce/points.hpp"
#include "collectives/communicator/threads.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/random/counter.hpp"

namespace ridge::bench::allreduce {
namespace {

using collectives::Arrays;

constexpr std::size_t guard_bytes = 64;
constexpr int poison = 0xFF;
// Arrays of all ranks together from which no second-level cache holds the results: they are written past the caches.
constexpr std::int64_t beyond_caches = std::int64_t{16} << 20;
// Looks at a flag before a waiting rank gives its CPU away: for ever, in effect, where each rank has one.
constexpr int patience = 1 << 20;

// Whole numbers up to 64, different for each rank: sums of them are exact in every type, for every number of ranks.
template <class T>
T element(std::uint64_t seed, int rank, std::int64_t i) {
  return static_cast<T>(
      random::bits(random::seed_of(seed, static_cast<std::uint64_t>(rank)), static_cast<std::uint64_t>(i)) >> 58);
}

template <class T>
T joined(const record::Point& point, std::uint64_t seed, std::int64_t i) {
  T all = element<T>(seed, 0, i);
  for (int r = 1; r < ranks_of(point); ++r) {
    const T next = element<T>(seed, r, i);
    switch (rule_of(point).op) {
      case reduce::Op::sum:
        all = static_cast<T>(all + next);
        break;
      case reduce::Op::max:
        all = std::max(all, next);
        break;
      case reduce::Op::min:
        all = std::min(all, next);
        break;
    }
  }
  return all;
}

template <class T>
class ThreadsCase final : public Case {
 public:
  ThreadsCase(CpuContext& context, const record::Point& point)
      : point_(point),
        team_(context.device.team(ranks_of(point))),
        world_(ranks_of(point), ranks_of(point) > context.device.usable_threads() ? 0 : patience),
        algorithm_(algorithm_of(point)),
        seed_(context.seed),
        zero_(context.fill == Fill::zero),
        count_(count_of(point)) {
    const std::int64_t bytes = count_ * std::int64_t{sizeof(T)} + std::int64_t{guard_bytes};
    reduce::Rule rule = rule_of(point);
    rule.past_caches = &algorithm_ == &collectives::direct && 2 * ranks_of(point) * bytes > beyond_caches;
    for (int r = 0; r < team_.size(); ++r) {
      auto* const in = reinterpret_cast<std::byte*>(context.arena.borrow(bytes).template as<T>());
      auto* const out =
          in_place(point) ? in : reinterpret_cast<std::byte*>(context.arena.borrow(bytes).template as<T>());
      arrays_.push_back({in, out, count_, rule});
      scratch_.push_back(algorithm_.needs_scratch
                             ? reinterpret_cast<std::byte*>(context.arena.borrow(bytes).template as<T>())
                             : nullptr);
    }
    wrong_.resize(arrays_.size());
    fill(zero_);
  }

  void run(std::int64_t repetitions) override {
    team_.parallel([this, repetitions](int rank) {
      try {
        for (std::int64_t i = 0; i < repetitions; ++i) reduce_on(rank);
      } catch (...) {
        world_.break_for_all();
        throw;
      }
    });
  }

  record::Verification verify() override {
    fill(false);
    run(1);
    team_.parallel([&](int rank) { wrong_[static_cast<std::size_t>(rank)] = wrong_of(rank); });
    std::int64_t wrong = 0;
    int worst = 0;
    for (std::size_t r = 0; r < wrong_.size(); ++r) {
      if (wrong_[r] > wrong_[static_cast<std::size_t>(worst)]) worst = static_cast<int>(r);
      wrong += wrong_[r];
    }
    fill(zero_);
    record::Verification result;
    result.checked = count_ * static_cast<std::int64_t>(arrays_.size());
    result.max_error = 0;
    result.bound = 0;
    result.status = wrong == 0 ? record::Check::passed : record::Check::failed;
    if (wrong > 0)
      result.reason = fmt::format("{} elements wrong or touched, most of them ({}) of rank {}", wrong,
                                  wrong_[static_cast<std::size_t>(worst)], worst);
    return result;
  }

  device::Stream& stream() override { return team_; }

 private:
  void reduce_on(int rank) {
    const auto r = static_cast<std::size_t>(rank);
    algorithm_.all_reduce(world_.rank(rank), arrays_[r], scratch_[r]);
  }

  // Every rank's arrays by its own thread: the input, poison where only results may be, and behind the ends.
  void fill(bool zero) {
    team_.parallel([&](int rank) {
      const auto r = static_cast<std::size_t>(rank);
      auto* const in = reinterpret_cast<T*>(const_cast<std::byte*>(arrays_[r].in));
      const std::size_t bytes = static_cast<std::size_t>(count_) * sizeof(T);
      if (!in_place(point_)) std::memset(arrays_[r].out, poison, bytes);
      std::memset(arrays_[r].out + bytes, poison, guard_bytes);
      for (std::int64_t i = 0; i < count_; ++i) in[i] = zero ? T{0} : element<T>(seed_, rank, i);
      if (scratch_[r] != nullptr) std::memset(scratch_[r], poison, bytes);
    });
  }

  [[nodiscard]] std::int64_t wrong_of(int rank) const {
    const Arrays& mine = arrays_[static_cast<std::size_t>(rank)];
    const auto* const in = reinterpret_cast<const T*>(mine.in);
    const auto* const out = reinterpret_cast<const T*>(mine.out);
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      wrong += out[i] == joined<T>(point_, seed_, i) ? 0 : 1;
      if (!in_place(point_)) wrong += in[i] == element<T>(seed_, rank, i) ? 0 : 1;
    }
    for (std::size_t i = 0; i < guard_bytes; ++i)
      wrong += mine.out[static_cast<std::size_t>(count_) * sizeof(T) + i] == std::byte{poison} ? 0 : 1;
    return wrong;
  }

  record::Point point_;
  device::cpu::Team& team_;
  collectives::ThreadWorld world_;
  const collectives::Algorithm& algorithm_;
  std::uint64_t seed_;
  bool zero_;
  std::int64_t count_;
  std::vector<Arrays> arrays_;       // by rank; (count), then guard_bytes behind the output
  std::vector<std::byte*> scratch_;  // by rank: (count), or null
  std::vector<std::int64_t> wrong_;
};

}  // namespace

std::unique_ptr<Case> prepare_cpu(CpuContext& context, const record::Point& point) {
  switch (rule_of(point).type) {
    case reduce::Type::f64:
      return std::make_unique<ThreadsCase<double>>(context, point);
    case reduce::Type::i32:
      return std::make_unique<ThreadsCase<std::int32_t>>(context, point);
    case reduce::Type::f32:
      break;
  }
  return std::make_unique<ThreadsCase<float>>(context, point);
}

}  // namespace ridge::bench::allreduce
