// A GPU as a device: its context, its stream, its kernels. The same code for libcuda.so.1 and for the reference
// machine.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/device/cuda/gate.hpp"
#include "kernels/device/cuda/memory.hpp"
#include "kernels/device/cuda/module.hpp"
#include "kernels/device/cuda/properties.hpp"
#include "kernels/device/cuda/stream.hpp"
#include "kernels/device/device.hpp"

namespace ridge::device::cuda {

class Devices;

class Device : public device::Device {
 public:
  Device(Devices& all, std::shared_ptr<const Driver> driver, int ordinal, Kind kind, const Environment& environment);

  [[nodiscard]] Name name() const override { return context_->name(); }
  // What is free now, less a reserve for modules, the flush buffer and the driver's own.
  [[nodiscard]] std::int64_t available_bytes() const override;
  std::unique_ptr<Arena> make_arena(std::int64_t bytes) override;

  [[nodiscard]] const Properties& properties() const { return properties_; }
  [[nodiscard]] const std::shared_ptr<const Context>& context() const { return context_; }
  [[nodiscard]] const Driver& driver() const { return context_->driver(); }
  // The stream that intervals are timed on: gated where that is allowed, flushing sized from the L2.
  Stream& stream();
  // Another one, without a gate, to run beside it.
  std::unique_ptr<Stream> make_stream() { return std::make_unique<Stream>(context_); }

  // Loads the image's module at first use.
  template <class... Args>
  Function<Args...> function(const Image& image, const Kernel<Args...>& kernel) {
    return {module(image), kernel};
  }
  std::shared_ptr<const Module> module(const Image& image);

  // Blocks that fill the GPU `waves` times with blocks of that many threads, but not more than `most`; at least 1.
  template <class... Args>
  [[nodiscard]] unsigned grid(const Function<Args...>& function, unsigned threads, std::int64_t most,
                              int waves = 1) const {
    return grid_for(function.resident(threads), most, waves);
  }

  // The SM clock while a spin of some 200 µs runs, in Hz. Nothing on the reference machine, which has no time.
  std::optional<double> effective_clock();

  // The other GPUs that the same driver offers.
  [[nodiscard]] Devices& all() { return all_; }
  // Lets kernels and copies of this device reach `other`'s memory. False when the machine cannot.
  bool enable_peer(Device& other);

  // What a person should know about how this device is measured: why no gate is used.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  [[nodiscard]] unsigned grid_for(int resident, std::int64_t most, int waves) const;

  Devices& all_;
  std::shared_ptr<const Context> context_;
  Properties properties_;
  bool gated_ = false;
  std::vector<std::string> notes_;
  std::map<const Image*, std::shared_ptr<const Module>> modules_;
  std::unique_ptr<Stream> stream_;
};

// All GPUs that one driver offers, opened one by one at first use.
class Devices {
 public:
  Devices(std::shared_ptr<const Driver> driver, Kind kind, Environment environment);
  Devices(const Devices&) = delete;
  Devices& operator=(const Devices&) = delete;

  [[nodiscard]] int count() const { return count_; }
  // Error when there is no such GPU or it cannot be opened.
  Device& open(int index);
  // Null when it was never opened.
  [[nodiscard]] const Device* opened(int index) const;
  [[nodiscard]] Properties properties(int index) const { return read_properties(*driver_, index); }
  [[nodiscard]] const Driver& driver() const { return *driver_; }
  // Whether `from` can read and write `to`'s memory directly. Needs no context.
  [[nodiscard]] bool can_access(int from, int to) const;

 private:
  std::shared_ptr<const Driver> driver_;
  Kind kind_;
  Environment environment_;
  int count_ = 0;
  std::map<int, std::unique_ptr<Device>> opened_;
};

Environment process_environment();

}  // namespace ridge::device::cuda
