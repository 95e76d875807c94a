// An in-order queue on a GPU: copies, fills, events, and intervals timed by events behind a gate.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/device/cuda/context.hpp"
#include "kernels/device/device.hpp"

namespace ridge::device::cuda {

class Gate;
class Flusher;

// A moment in a stream. Timed ones can be subtracted.
class Event {
 public:
  explicit Event(std::shared_ptr<const Context> context, bool timed = true);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  [[nodiscard]] CUevent handle() const { return event_; }
  // Waits until it has happened.
  void synchronize() const;
  // Seconds from `start` to this; both timed, of the same GPU, and have happened.
  [[nodiscard]] double seconds_since(const Event& start) const;

 private:
  std::shared_ptr<const Context> context_;
  CUevent event_ = nullptr;
};

class Stream : public device::Stream {
 public:
  explicit Stream(std::shared_ptr<const Context> context);
  ~Stream() override;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Seconds between two events around what `work` queues. With a gate the events and all of the work are queued before
  // the first of it runs, so launch gaps stay out; `host_seconds` is then from the opening to the end.
  // Error when `work` waits for this stream while the gate is shut: the gate gives up after its limit.
  Interval time(const std::function<void()>& work) override;
  void flush_caches() override;
  [[nodiscard]] bool has_clock() const override { return context_->name().kind != Kind::ptx; }

  // Copies and fills, queued. Host memory is pinned, or else the copy may not overlap anything.
  void copy_to_device(void* dst, const void* src, std::int64_t bytes);
  void copy_to_host(void* dst, const void* src, std::int64_t bytes);
  void copy_on_device(void* dst, const void* src, std::int64_t bytes);
  void copy_to_peer(void* dst, const Context& dst_context, const void* src, std::int64_t bytes);
  void fill(void* dst, std::uint8_t value, std::int64_t bytes);
  void record(const Event& event);
  void wait(const Event& event);  // what is queued later runs after it, whatever stream it is on
  void synchronize();

  // Before anything is queued: makes the device current, and opens the gate when the queue could be full, since the
  // host would wait for room in a queue that waits for the host.
  void before_enqueue();

  // For work whose calls wait for the stream themselves, as copies of pageable memory do: from here on nothing is held
  // back, and what the host does is inside of the interval.
  void open_gate();

  [[nodiscard]] CUstream handle() const { return stream_; }
  [[nodiscard]] const Context& context() const { return *context_; }
  void set_gate(std::unique_ptr<Gate> gate);
  void set_flusher(std::unique_ptr<Flusher> flusher);

 private:
  std::shared_ptr<const Context> context_;
  CUstream stream_ = nullptr;
  Event start_;
  Event stop_;
  std::unique_ptr<Gate> gate_;  // null: none
  std::unique_ptr<Flusher> flusher_;
};

}  // namespace ridge::device::cuda
