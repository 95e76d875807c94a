// Reference GPUs behind the CUDA driver's table of functions: the same calls as on a GPU, kernels executed from their
// PTX.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/device/counted.hpp"
#include "kernels/device/cuda/driver.hpp"
#include "kernels/ptx/ptx.hpp"

namespace ridge::ptx {

// What the reference GPUs look like; all alike.
struct ReferenceSettings {
  int gpus = 1;
  std::int64_t memory_bytes = std::int64_t{1} << 30;
  int multiprocessors = 4;
  std::int64_t l2_bytes = std::int64_t{1} << 20;
  int copy_engines = 2;
  bool peer_access = true;     // between any two
  int driver_version = 13000;  // what cuDriverGetVersion says
  bool ecc = true;
  std::optional<int> numa_node = std::nullopt;  // the host's, nearest to them
  std::string model = "Ridge reference GPU";
  // Events can be subtracted and give the host's time. Only for playing libcuda.so.1 in a test: the reference machine
  // has no time of its own.
  bool host_clock = false;
  double clock_scale = 1;     // what the events make of the host's time: a clock that is wrong
  LaunchOptions launch = {};  // order, checks, counts, threads of every launch
};

struct LaunchNote {
  int gpu = 0;
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  Counts counts;
};

// Bytes that the copy and fill calls moved.
struct CopyNote {
  enum class Kind { to_device, to_host, on_device, to_peer, fill };
  int gpu = 0;  // of the context it ran in
  Kind kind = Kind::to_device;
  std::int64_t bytes = 0;
};

// Work is executed when the host waits for it (or asks about it), not when it is queued: a host that reads too early
// reads what was there before, as it may on a GPU.
class Reference {
 public:
  explicit Reference(const ReferenceSettings& settings = {});
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  // The table; it keeps the machine alive.
  [[nodiscard]] std::shared_ptr<const device::cuda::Driver> driver() const;

  // Makes the n-th call (from 1, counted from now) of a driver function answer `status` instead of doing anything.
  void fail(const std::string& call, int nth, CUresult status);
  // How often each driver function was called until now.
  [[nodiscard]] std::map<std::string, int> calls() const;
  // What was taken and not given back, such as "2 streams, 1 primary context, 4096 bytes of device memory"; empty: all
  // of it was.
  [[nodiscard]] std::string left() const;
  // How kernels are launched from now on.
  void set_launch_options(const LaunchOptions& options);

  // What ran since the last clear, in order of execution.
  [[nodiscard]] std::vector<LaunchNote> launches() const;
  [[nodiscard]] std::vector<CopyNote> copies() const;
  // All of that added up. Kernels are in it as far as they were launched with `counts` on.
  [[nodiscard]] device::Counted counted() const;
  void clear_notes();

  struct State;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace ridge::ptx
