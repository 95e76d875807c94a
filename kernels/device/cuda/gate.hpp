// The gate: a bounded kernel that holds a stream back until all of an interval is queued, so that launch gaps stay out.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kernels/device/cuda/memory.hpp"
#include "kernels/device/cuda/module.hpp"
#include "kernels/device/cuda/timing_kernels.hpp"

namespace ridge::device::cuda {

using Environment = std::function<const char*(const char*)>;  // null: not set

// Why no gate may be used here; nothing when it may. CUDA_LAUNCH_BLOCKING makes every launch wait for its end,
// profilers may serialise or replay launches: the gate would wait for a host that waits for the gate. On the reference
// machine there are no launch gaps.
std::optional<std::string> gate_forbidden(const Environment& environment, bool modelled);

class Gate {
 public:
  // `limit`: after which the kernel gives up.
  Gate(std::shared_ptr<const Context> context, std::shared_ptr<const Module> timing,
       std::chrono::nanoseconds limit = std::chrono::seconds(10));

  // Queues the kernel; what is queued after it waits for open().
  void shut(Stream& stream);
  void open() noexcept;
  [[nodiscard]] bool is_shut() const { return shut_; }
  // Something more was queued behind the gate. It is opened once more are waiting than surely fit into the driver's
  // queue (about a thousand); from there on the GPU still has that many ahead of it.
  void count_one() noexcept;
  // Error when the kernel gave up before the gate was opened. After the stream's synchronising.
  void require_no_timeout();

  static constexpr int most_waiting = 512;

 private:
  Function<const volatile std::uint32_t*, std::uint32_t*, std::uint64_t> wait_;
  PinnedBuffer words_;  // [0]: open, [1]: timed out; each on a line of its own
  std::chrono::nanoseconds limit_;
  bool shut_ = false;
  int waiting_ = 0;
};

}  // namespace ridge::device::cuda
