// Where a library's products are timed: on the host's clock, its threads awake before and asleep after.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "kernels/device/device.hpp"
#include "kernels/gemm_library/library.hpp"

namespace ridge::gemm {

// A library's threads are its own: the caller's is not bound to a CPU. Before an interval of short products they are
// woken by one product, as a team's are kept awake (`sleeping` is one, and flushes caches); after it the next case
// waits until they sleep.
class LibraryStream final : public device::Stream {
 public:
  LibraryStream(device::Stream& sleeping, Library& library) : sleeping_(sleeping), library_(library) {}
  device::Interval time(const std::function<void()>& work) override {
    // How long a product takes is known from the first one on, before any interval of them.
    if (!flushed_ && latest_ < long_seconds) latest_ = seconds_of([this] { library_.multiply(); });
    flushed_ = false;
    repetitions_ = 0;
    const double took = seconds_of(work);
    if (repetitions_ > 0) {
      latest_ = took / static_cast<double>(repetitions_);
      std::this_thread::sleep_for(std::chrono::duration<double>(library_.restless_seconds()));
    }
    return {took, took};
  }
  void flush_caches() override {
    sleeping_.flush_caches();
    flushed_ = true;
  }
  void used(std::int64_t repetitions) { repetitions_ += repetitions; }

 private:
  static double seconds_of(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  static constexpr double long_seconds = 0.05;  // in which a wake-up of some 0.1 ms is nothing
  device::Stream& sleeping_;
  Library& library_;
  double latest_ = 0;
  std::int64_t repetitions_ = 0;
  bool flushed_ = false;
};

}  // namespace ridge::gemm
