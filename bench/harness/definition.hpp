// A definition: a benchmark as a table of facts and one function per kind of device that prepares a case.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/harness/axis.hpp"
#include "kernels/device/device.hpp"
#include "reports/record/record.hpp"

namespace ridge::device::cpu {
class Device;
}
namespace ridge::device::cuda {
class Device;
}

namespace ridge::bench {

// What timed data holds. Zeros are faster on some hardware, which is why random is the default and the fill is
// recorded.
enum class Fill { random, zero, ones };

// What a case needs while it is prepared: its device, the memory it may borrow, and how to fill it.
template <class Device>
struct Context {
  Device& device;
  device::Arena& arena;
  std::uint64_t seed = 0;
  Fill fill = Fill::random;
};
using CpuContext = Context<device::cpu::Device>;
using CudaContext = Context<device::cuda::Device>;

// What one repetition does besides its stated work, by name: a reduction's partial results, the additions that join
// them.
struct Besides {
  std::string name;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t operations = 0;
};

// A part of what ran at once in the last interval, timed by itself: one direction of two, one GPU of several.
struct Part {
  std::string name;  // "to_device"
  std::int64_t bytes = 0;
  double seconds = 0;  // of one repetition
};

// One point made ready: buffers borrowed and filled.
class Case {
 public:
  virtual ~Case() = default;
  // `repetitions` of the work, back to back on the stream: no synchronising with the host, no allocating.
  virtual void run(std::int64_t repetitions) = 0;
  // Runs the work once on poisoned outputs and compares every element. Leaves the buffers as `run` needs them.
  virtual record::Verification verify() = 0;
  virtual device::Stream& stream() = 0;
  // Where the reference machine counts, stated work plus these must be what was executed.
  [[nodiscard]] virtual std::vector<Besides> besides_work() const { return {}; }
  // Of the last interval, where what runs at once has parts with a time of their own. Asked outside of intervals.
  [[nodiscard]] virtual std::vector<Part> parts() { return {}; }
  // What one repetition does, where that follows from the device: how many blocks fill it. Asked once, before
  // verifying.
  [[nodiscard]] virtual std::optional<record::Work> work() const { return std::nullopt; }
  // Called before each warm interval, outside of it: brings back into the caches what the rounds of other cases have
  // put out, where an interval is too short for that to be a small part of it.
  virtual void warm() {}
  // Bytes of the pages that hold the buffers, where they were not borrowed from the arena.
  [[nodiscard]] virtual std::optional<std::int64_t> page_size() const { return std::nullopt; }

 protected:
  Case() = default;
  Case(const Case&) = default;
  Case& operator=(const Case&) = default;
};

// Which part of the work a metric divides the time into (or is divided by it).
enum class Rate { bytes, operations, items_latency, time };

// A metric as the benchmark declares it; its value is derived from Work and the median in one place (derive.hpp).
struct MetricRule {
  std::string name;
  record::Unit unit = record::Unit::bytes_per_second;
  record::Better better = record::Better::higher;
  Rate rate = Rate::bytes;
};

// A value of an axis under which several things run at once, and the values under which each of them runs alone: what
// their records are compared by (parts.hpp).
struct Concurrent {
  std::string axis;
  std::string whole;
  std::vector<std::string> parts;
  // An axis that names the other device of a pair: the last part alone is then the record of that device with this one
  // in its place.
  std::string mirrored_by = {};
};

// The text of `ridge explain`, in the order it is printed.
struct Explanation {
  std::string measures;  // what question it answers
  std::string formula;   // how the figure comes from the work and the time
  std::string counting;  // what is counted, and what is not
  std::string spoil;     // how to get a wrong number
  std::string normal;    // what to expect, and against what
};

struct Analysis;  // analysis.hpp

struct Definition {
  std::string name;     // "bandwidth.triad"
  std::string summary;  // one line
  std::int64_t workload_version = 1;
  std::vector<Axis> axes;
  std::vector<MetricRule> metrics;
  std::optional<Concurrent> concurrent = std::nullopt;
  bool over_a_link = false;  // what it moves is bounded by a link, so no memory level is its own
  // What it moves lies in a GPU's shared memory: counted bytes are those, and no memory level is its own.
  bool in_shared_memory = false;
  Explanation explanation;
  // Axes, in the grammar of their options, of points small enough for the reference machine: what it counts of them
  // stands in `ridge explain` beside what was predicted. Empty where nothing is predicted that can be counted.
  std::map<std::string, std::string> counted_example = {};
  std::shared_ptr<const Analysis> analysis = {};  // of the whole family; absent where each record stands for itself

  std::function<record::Work(const record::Point&)> work;
  // What its data may hold; any other fill is skipped.
  std::vector<Fill> fills = {Fill::random, Fill::zero};
  // The sizes of the buffers that a case borrows, bytes each.
  std::function<std::vector<std::int64_t>(const record::Point&)> buffers;
  // A reason why this point cannot be (a dtype without such an operation), or nothing.
  std::function<std::optional<std::string>(const record::Point&)> unsupported;

  // Absent where the benchmark does not exist for that kind of device.
  std::function<std::unique_ptr<Case>(CpuContext&, const record::Point&)> prepare_cpu;
  std::function<std::unique_ptr<Case>(CudaContext&, const record::Point&)> prepare_cuda;

  [[nodiscard]] std::string family() const { return name.substr(0, name.find('.')); }
};

}  // namespace ridge::bench
