// Counting and handing over on a CPU. Relaxed order: that of other memory is not what is asked about.
#include <sched.h>

#include <atomic>

#include "kernels/atomics/atomics.hpp"

namespace ridge::atomics {
namespace {

// Looks at a word that take far longer than any handover; behind them the other thread may need this very CPU.
constexpr int patience = 1 << 16;

}  // namespace

std::uint64_t cpu_add(std::uint64_t* counter, std::int64_t times) {
  const std::atomic_ref<std::uint64_t> count(*counter);
  std::uint64_t found = 0;
  for (std::int64_t i = 0; i < times; ++i) found += count.fetch_add(1, std::memory_order_relaxed);
  return found;
}

std::uint64_t cpu_cas(std::uint64_t* counter, std::int64_t times) {
  const std::atomic_ref<std::uint64_t> count(*counter);
  std::uint64_t found = 0;
  for (std::int64_t i = 0; i < times; ++i) {
    std::uint64_t before = count.load(std::memory_order_relaxed);
    while (!count.compare_exchange_weak(before, before + 1, std::memory_order_relaxed)) {
    }
    found += before;
  }
  return found;
}

// No pause between two looks: how long one takes differs by a factor of ten between processors, and it is a handover
// that is asked about.
void cpu_hand_over(std::uint64_t* word, int rank, std::int64_t round_trips) {
  const std::atomic_ref<std::uint64_t> value(*word);
  std::uint64_t mine = value.load(std::memory_order_relaxed) / 2 * 2 + static_cast<std::uint64_t>(rank);
  for (std::int64_t i = 0; i < round_trips; ++i, mine += 2) {
    for (int looks = 0; value.load(std::memory_order_acquire) != mine; ++looks)
      if (looks >= patience) sched_yield();
    value.store(mine + 1, std::memory_order_release);
  }
}

}  // namespace ridge::atomics
