// The CPU as a device: teams of pinned threads, and arenas on huge pages touched first by the threads that use them.
#pragma once

#include <functional>
#include <memory>

#include "kernels/device/device.hpp"

namespace ridge::device::cpu {

// A stream whose work is spread over pinned threads. `parallel` is meant to be called inside Stream::time: the team is
// then awake and spinning, so that a fork and join costs a fraction of a microsecond; outside it works too, slower.
class Team : public Stream {
 public:
  // Calls body(rank) for rank 0 … size()-1, each on its own pinned thread (rank 0 on the caller's), and returns when
  // all have.
  virtual void parallel(const std::function<void(int rank)>& body) = 0;
  // Inside parallel: no thread passes before all have arrived.
  virtual void barrier() = 0;
  [[nodiscard]] virtual int size() const = 0;
  // False once the system refused to bind a thread to its CPU: figures then vary more.
  [[nodiscard]] virtual bool pinned() const = 0;
};

struct Share {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
// The elements that `rank` of `size` owns of `count`: contiguous, in whole cache lines of `line` elements but for the
// tail.
Share share(std::int64_t count, int rank, int size, std::int64_t line);

class Device : public device::Device {
 public:
  // The team of that many threads, made at first use, kept asleep between intervals. At most one team is awake at a
  // time.
  virtual Team& team(int threads) = 0;
  // Like make_arena, with pages of the smallest size even where the kernel would give huge ones unasked.
  virtual std::unique_ptr<Arena> make_arena_of_small_pages(std::int64_t bytes) = 0;
  // Threads this process should use: min(affinity, ceil(cgroup quota)).
  [[nodiscard]] virtual int usable_threads() const = 0;
};

std::unique_ptr<Device> make_device();

}  // namespace ridge::device::cpu
