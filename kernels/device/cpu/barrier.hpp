// A barrier that spins, for threads that each have a CPU to themselves and must leave together within nanoseconds.
#pragma once

#include <sched.h>

#include <atomic>
#include <exception>

#include "kernels/device/cpu/instr/relax.hpp"

namespace ridge::device::cpu {

// Spins until `done()`; after `patience` looks it gives the CPU away between two looks, for the awaited thread may need
// it.
inline void spin_until(const auto& done, int patience) {
  for (int looks = 0; !done(); ++looks) {
    if (looks < patience) {
      relax();
    } else {
      looks = patience;
      sched_yield();
    }
  }
}

// Thrown out of a barrier that will never be complete, because a thread left by an exception.
struct BrokenBarrier : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "another thread of the team failed"; }
};

class SpinBarrier {
 public:
  SpinBarrier(int size, int patience) : size_(size), patience_(patience) {}

  // Returns when all `size` threads have called it; BrokenBarrier once broken.
  void arrive_and_wait() {
    const unsigned generation = generation_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
      arrived_.store(0, std::memory_order_relaxed);
      generation_.store(generation + 1, std::memory_order_release);
      return;
    }
    const auto passed = [&] { return generation_.load(std::memory_order_acquire) != generation; };
    spin_until([&] { return passed() || broken_.load(std::memory_order_acquire); }, patience_);
    if (!passed()) throw BrokenBarrier{};
  }

  // Lets all who wait, now or later, leave by BrokenBarrier.
  void break_for_all() { broken_.store(true, std::memory_order_release); }

  // Makes it whole again. No thread may be inside.
  void mend() {
    arrived_.store(0, std::memory_order_relaxed);
    broken_.store(false, std::memory_order_relaxed);
  }

 private:
  const int size_;
  const int patience_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<unsigned> generation_{0};
  std::atomic<bool> broken_{false};
};

}  // namespace ridge::device::cpu
