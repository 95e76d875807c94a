// Launching a kernel on the reference machine.
#pragma once

#include <cstring>
#include <vector>

#include "kernels/ptx/engine/module.hpp"
#include "kernels/ptx/machine/state.hpp"

namespace ridge::ptx {

struct LaunchResult {
  Counts counts;
  /// Executions of each counted PTX instruction, in the order of the text.
  struct Line {
    Location where;
    std::string text;
    InstructionCount executed;
  };
  std::vector<Line> lines;
};

/// Values of kernel parameters laid out as the kernel wants them.
class Parameters {
 public:
  explicit Parameters(const KernelInfo& info) : info_(info), bytes_(info.parameter_bytes) {}
  /// The next parameter; its size must fit. Throws std::invalid_argument.
  template <class T>
  Parameters& add(const T& value) {
    add_bytes(&value, sizeof value);
    return *this;
  }
  void add_bytes(const void* value, std::size_t bytes);
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  bool complete() const { return next_ == info_.parameters.size(); }

 private:
  KernelInfo info_;
  std::vector<std::uint8_t> bytes_;
  std::size_t next_ = 0;
};

/// Runs the kernel to its end and returns what was counted. Throws Fault for what the kernel did wrong (memory keeps
/// what was written until then), ReadError for instructions the machine does not know, and std::invalid_argument for a
/// launch that no GPU would accept: shape of the grid or block, or too much shared memory.
LaunchResult launch(const Instance& instance, const std::string& kernel, Dim3 grid, Dim3 block,
                    std::uint32_t dynamic_shared_bytes, const std::vector<std::uint8_t>& parameters,
                    const LaunchOptions& options = {});

/// As above, with pointers to the value of each parameter as cuLaunchKernel takes them.
LaunchResult launch(const Instance& instance, const std::string& kernel, Dim3 grid, Dim3 block,
                    std::uint32_t dynamic_shared_bytes, const void* const* parameters,
                    const LaunchOptions& options = {});

/// As above, with the values themselves.
template <class... Values>
LaunchResult launch_with(const Instance& instance, const std::string& kernel, Dim3 grid, Dim3 block,
                         std::uint32_t dynamic_shared_bytes, const LaunchOptions& options, const Values&... values) {
  Parameters parameters(instance.module().info(kernel));
  (parameters.add(values), ...);
  if (!parameters.complete()) throw std::invalid_argument("too few parameters for " + kernel);
  return launch(instance, kernel, grid, block, dynamic_shared_bytes, parameters.bytes(), options);
}

}  // namespace ridge::ptx
