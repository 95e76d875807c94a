// Queueing on a stream, and timing what was queued.
#include "kernels/device/cuda/stream.hpp"

#include <fmt/format.h>

#include <chrono>

#include "kernels/device/cuda/flush.hpp"
#include "kernels/device/cuda/gate.hpp"

namespace ridge::device::cuda {
namespace {

constexpr double most_clock_ratio = 1.02;
constexpr double clock_slack = 50e-6;  // seconds: the resolution of events and the time to open the gate

CUdeviceptr address(const void* pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}
std::size_t size(std::int64_t bytes) {
  return static_cast<std::size_t>(bytes);
}

}  // namespace

Event::Event(std::shared_ptr<const Context> context, bool timed) : context_(std::move(context)) {
  context_->make_current();
  const unsigned flags = timed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING;
  context_->check(context_->driver().cuEventCreate(&event_, flags), "cuEventCreate");
}

Event::~Event() {
  context_->note(context_->driver().cuEventDestroy(event_), "cuEventDestroy");
}

void Event::synchronize() const {
  context_->make_current();
  context_->check(context_->driver().cuEventSynchronize(event_), "cuEventSynchronize");
}

double Event::seconds_since(const Event& start) const {
  context_->make_current();
  float milliseconds = 0;
  context_->check(context_->driver().cuEventElapsedTime(&milliseconds, start.handle(), event_), "cuEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

Stream::Stream(std::shared_ptr<const Context> context)
    : context_(std::move(context)), start_(context_), stop_(context_) {
  context_->make_current();
  context_->check(context_->driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
}

Stream::~Stream() {
  if (gate_) gate_->open();
  const Driver& driver = context_->driver();
  context_->note(driver.cuCtxSetCurrent(context_->handle()), "cuCtxSetCurrent");
  context_->note(driver.cuStreamSynchronize(stream_),
                 "cuStreamSynchronize");  // nothing it uses may go before it is done
  flusher_.reset();
  gate_.reset();
  context_->note(driver.cuStreamDestroy(stream_), "cuStreamDestroy");
}

Interval Stream::time(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  context_->make_current();
  if (gate_) {
    synchronize();  // what is left from before must not eat into the gate's limit
    gate_->shut(*this);
  }
  auto begun = Clock::now();
  try {
    record(start_);
    work();
    record(stop_);
  } catch (...) {
    if (gate_) gate_->open();
    context_->note(context_->driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
    throw;
  }
  if (gate_ && gate_->is_shut()) {
    begun = Clock::now();
    gate_->open();
  }
  stop_.synchronize();
  const std::chrono::duration<double> host = Clock::now() - begun;
  if (gate_) gate_->require_no_timeout();
  if (!has_clock()) return {0.0, host.count()};
  const double seconds = stop_.seconds_since(start_);
  // Cross-check: what happened between the events happened within the host's interval around them.
  if (seconds > most_clock_ratio * host.count() + clock_slack)
    throw Error(fmt::format("{}: the GPU's events say {:.6g} s, the host's clock {:.6g} s: one of them is wrong",
                            context_->name().text(), seconds, host.count()));
  return {seconds, host.count()};
}

void Stream::flush_caches() {
  if (flusher_) flusher_->flush(*this);
}

void Stream::before_enqueue() {
  context_->make_current();
  if (gate_) gate_->count_one();
}

void Stream::open_gate() {
  if (gate_) gate_->open();
}

void Stream::copy_to_device(void* dst, const void* src, std::int64_t bytes) {
  before_enqueue();
  context_->check(context_->driver().cuMemcpyHtoDAsync(address(dst), src, size(bytes), stream_), "cuMemcpyHtoDAsync");
}

void Stream::copy_to_host(void* dst, const void* src, std::int64_t bytes) {
  before_enqueue();
  context_->check(context_->driver().cuMemcpyDtoHAsync(dst, address(src), size(bytes), stream_), "cuMemcpyDtoHAsync");
}

void Stream::copy_on_device(void* dst, const void* src, std::int64_t bytes) {
  before_enqueue();
  context_->check(context_->driver().cuMemcpyDtoDAsync(address(dst), address(src), size(bytes), stream_),
                  "cuMemcpyDtoDAsync");
}

void Stream::copy_to_peer(void* dst, const Context& dst_context, const void* src, std::int64_t bytes) {
  before_enqueue();
  context_->check(context_->driver().cuMemcpyPeerAsync(address(dst), dst_context.handle(), address(src),
                                                       context_->handle(), size(bytes), stream_),
                  "cuMemcpyPeerAsync");
}

void Stream::fill(void* dst, std::uint8_t value, std::int64_t bytes) {
  before_enqueue();
  context_->check(context_->driver().cuMemsetD8Async(address(dst), value, size(bytes), stream_), "cuMemsetD8Async");
}

void Stream::record(const Event& event) {
  before_enqueue();
  context_->check(context_->driver().cuEventRecord(event.handle(), stream_), "cuEventRecord");
}

void Stream::wait(const Event& event) {
  before_enqueue();
  context_->check(context_->driver().cuStreamWaitEvent(stream_, event.handle(), 0), "cuStreamWaitEvent");
}

void Stream::synchronize() {
  context_->make_current();
  context_->check(context_->driver().cuStreamSynchronize(stream_), "cuStreamSynchronize");
}

void Stream::set_gate(std::unique_ptr<Gate> gate) {
  gate_ = std::move(gate);
}
void Stream::set_flusher(std::unique_ptr<Flusher> flusher) {
  flusher_ = std::move(flusher);
}

}  // namespace ridge::device::cuda
