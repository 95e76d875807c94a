// A device, a stream and cases whose time is scripted, for tests of the harness.
#pragma once

#include <memory>
#include <vector>

#include "bench/harness/definition.hpp"
#include "kernels/device/cpu/device.hpp"

namespace ridge::bench::fake {

// Time passes only when a case says so.
class Stream : public device::cpu::Team {
 public:
  double now = 0;
  int flushes = 0;
  int intervals = 0;
  device::Interval time(const std::function<void()>& work) override {
    const double start = now;
    now += 1e-7;  // what an empty interval takes
    ++intervals;
    work();
    return {now - start, now - start};
  }
  void flush_caches() override { ++flushes; }
  void parallel(const std::function<void(int)>& body) override { body(0); }
  void barrier() override {}
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] bool pinned() const override { return true; }
};

class Arena : public device::Arena {
 public:
  explicit Arena(std::int64_t bytes) : memory_(static_cast<std::size_t>(bytes)) {}
  device::Span borrow(std::int64_t bytes) override {
    if (used_ + bytes > capacity()) throw device::OutOfMemory(bytes, capacity() - used_);
    used_ += bytes;
    return {memory_.data() + used_ - bytes, bytes};
  }
  void reset() override { used_ = 0; }
  [[nodiscard]] std::int64_t capacity() const override { return static_cast<std::int64_t>(memory_.size()); }

 private:
  std::vector<std::byte> memory_;
  std::int64_t used_ = 0;
};

class Device : public device::cpu::Device {
 public:
  Stream stream;
  [[nodiscard]] device::Name name() const override { return {}; }
  [[nodiscard]] std::int64_t available_bytes() const override { return 1 << 20; }
  std::unique_ptr<device::Arena> make_arena(std::int64_t bytes) override { return std::make_unique<Arena>(bytes); }
  std::unique_ptr<device::Arena> make_arena_of_small_pages(std::int64_t bytes) override { return make_arena(bytes); }
  device::cpu::Team& team(int) override { return stream; }
  [[nodiscard]] int usable_threads() const override { return 2; }
};

// What a scripted case does, and what was done with it.
struct Script {
  double seconds = 1e-3;  // per repetition
  bool verifies = true;
  bool throws_in_prepare = false;
  int throws_at_run = -1;  // the n-th call of run throws
  int runs = 0;
  int warmed = 0;
  std::optional<record::Work> work;       // that only the device can tell
  std::optional<std::int64_t> page_size;  // of buffers of its own
  std::function<void()> on_run = [] {};
  std::function<void()> on_verify = [] {};
};

class Case : public bench::Case {
 public:
  Case(Stream& stream, Script& script) : stream_(stream), script_(script) {}
  void run(std::int64_t repetitions) override {
    if (script_.runs++ == script_.throws_at_run) throw device::Error("the device fell over");
    script_.on_run();
    stream_.now += script_.seconds * static_cast<double>(repetitions);
  }
  record::Verification verify() override {
    script_.on_verify();
    record::Verification v;
    v.status = script_.verifies ? record::Check::passed : record::Check::failed;
    if (!script_.verifies) v.reason = "element 7 is 0";
    return v;
  }
  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::optional<record::Work> work() const override { return script_.work; }
  void warm() override { ++script_.warmed; }
  [[nodiscard]] std::optional<std::int64_t> page_size() const override { return script_.page_size; }

 private:
  Stream& stream_;
  Script& script_;
};

// "fake.<name>" with a size and a threads axis, 1000 bytes read per repetition.
inline Definition definition(const std::string& name, Script& script) {
  Definition d;
  d.name = "fake." + name;
  d.summary = "scripted";
  d.axes = {{"size", "B", "bytes per array", AxisKind::bytes, "4096", {}},
            {"threads", "", "threads", AxisKind::count, "1", {}}};
  d.metrics = {{"bandwidth", record::Unit::bytes_per_second, record::Better::higher, Rate::bytes}};
  d.work = [](const record::Point&) {
    record::Work work;
    work.bytes_read = 1000;
    return work;
  };
  d.buffers = [](const record::Point& point) { return std::vector<std::int64_t>{point.integer("size")}; };
  d.prepare_cpu = [&script](CpuContext& context, const record::Point&) -> std::unique_ptr<bench::Case> {
    if (script.throws_in_prepare) throw device::OutOfMemory(100, 10);
    return std::make_unique<Case>(static_cast<Device&>(context.device).stream, script);
  };
  return d;
}

}  // namespace ridge::bench::fake
