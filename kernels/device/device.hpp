// What every device is to the harness: a name, memory, and a stream that can time an interval of work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ridge::device {

enum class Kind { cpu, cuda, ptx };

struct Name {
  Kind kind = Kind::cpu;
  int index = 0;
  [[nodiscard]] std::string text() const;  // "cpu", "cuda:0", "ptx:1"
  bool operator==(const Name&) const = default;
};
// The other way round; nothing for other text.
std::optional<Name> parse_name(std::string_view text);

// A device call that went wrong: which call, what it answered, on which device.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Something that this machine does not have, such as a second GPU: a case that needs it is skipped, not failed.
struct Absent : Error {
  using Error::Error;
};

// Memory that was asked for and is not there.
struct OutOfMemory : Error {
  OutOfMemory(std::int64_t needed_bytes, std::int64_t available_bytes);
  std::int64_t needed;
  std::int64_t available;
};

// One timed interval. `seconds` is the device's own clock (events on a GPU), `host_seconds` the steady clock around it.
struct Interval {
  double seconds = 0;
  double host_seconds = 0;
};

// An in-order queue of work on one device.
class Stream {
 public:
  virtual ~Stream() = default;

  // Runs `work` once, waits until all it started is finished, and says how long that took. Launch and wake-up costs are
  // kept outside of the interval where the device allows it.
  virtual Interval time(const std::function<void()>& work) = 0;

  // Empties (or makes useless) every cache between this stream and memory. Outside of any interval.
  virtual void flush_caches() = 0;

  // False where a clock would mean nothing (the reference machine): the engine then runs and counts, but keeps no
  // samples.
  [[nodiscard]] virtual bool has_clock() const { return true; }

 protected:
  Stream() = default;
  Stream(const Stream&) = default;
  Stream& operator=(const Stream&) = default;
};

// A piece of an arena; valid until the arena's next reset.
struct Span {
  std::byte* data = nullptr;
  std::int64_t bytes = 0;
  template <class T>
  [[nodiscard]] T* as() const {
    return reinterpret_cast<T*>(data);
  }
};

// Memory taken from the device once per run and lent to the cases of a window.
class Arena {
 public:
  virtual ~Arena() = default;
  // At least cache-line aligned, and staggered so that equal sizes do not alias in a cache. OutOfMemory when it is used
  // up.
  virtual Span borrow(std::int64_t bytes) = 0;
  // Takes everything back; spans handed out before are dead.
  virtual void reset() = 0;
  [[nodiscard]] virtual std::int64_t capacity() const = 0;
  [[nodiscard]] virtual std::optional<std::int64_t> page_size() const { return std::nullopt; }

 protected:
  Arena() = default;
  Arena(const Arena&) = default;
  Arena& operator=(const Arena&) = default;
};

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual Name name() const = 0;
  // Bytes that a run may take now: free memory, a cgroup's limit, a GPU's free memory, whichever is smallest.
  [[nodiscard]] virtual std::int64_t available_bytes() const = 0;
  virtual std::unique_ptr<Arena> make_arena(std::int64_t bytes) = 0;

 protected:
  Device() = default;
  Device(const Device&) = default;
  Device& operator=(const Device&) = default;
};

// What a borrow of `bytes` may use up at most, with alignment and stagger; planners sum this.
std::int64_t borrow_cost(std::int64_t bytes);

}  // namespace ridge::device
