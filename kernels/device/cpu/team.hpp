// A team of pinned threads: asleep between intervals, spinning within one.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/device/cpu/barrier.hpp"
#include "kernels/device/cpu/flush.hpp"

namespace ridge::device::cpu {

// What the system calls a team's threads but the caller, which others of this process are told from them by.
inline constexpr const char* team_name = "ridge-team";

class PinnedTeam final : public Team {
 public:
  // `threads` threads, rank r on cpus[r mod cpus.size()]; with no CPUs known they float. `flusher` is shared by the
  // device's teams, of which one at a time is in use; `available` says how much memory there is for it. Error when a
  // thread cannot be started.
  PinnedTeam(const System& system, std::vector<int> cpus, int threads, CacheFlusher& flusher,
             std::function<std::int64_t()> available);
  ~PinnedTeam() override;
  PinnedTeam(const PinnedTeam&) = delete;
  PinnedTeam& operator=(const PinnedTeam&) = delete;

  Interval time(const std::function<void()>& work) override;
  void flush_caches() override;
  void parallel(const std::function<void(int rank)>& body) override;
  void barrier() override {
    if (size_ > 1) barrier_.arrive_and_wait();
  }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] bool pinned() const override { return pinned_.load(std::memory_order_relaxed); }

 private:
  class Pin;    // binds the caller's thread to rank 0's CPU, and back
  class Awake;  // keeps the workers spinning, and lets them sleep again

  void work(int rank);
  void post(unsigned flags);
  void await_workers();
  void call(const std::function<void(int)>& body, int rank) noexcept;
  void stop();

  const System& system_;
  const std::vector<int> cpus_;
  const int size_;
  const int patience_;
  CacheFlusher& flusher_;
  std::function<std::int64_t()> available_;

  std::atomic<bool> pinned_{true};
  bool awake_ = false;  // within time()
  bool busy_ = false;   // within parallel()
  const std::function<void(int)>* body_ = nullptr;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  SpinBarrier barrier_;
  alignas(64) std::atomic<unsigned> order_{0};  // a sequence number above two flags, see team.cpp
  alignas(64) std::atomic<int> pending_{0};     // workers that have not finished the latest order
  std::vector<std::thread> workers_;
};

}  // namespace ridge::device::cpu
