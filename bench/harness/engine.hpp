// Carries out a plan: prepare, verify, calibrate, then rounds of all cases of a window interleaved in a seeded order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/harness/conditions.hpp"
#include "bench/harness/plan.hpp"
#include "kernels/device/counted.hpp"
#include "kernels/gpus/survey.hpp"

namespace ridge::bench {

// A device made ready; exactly the pointer of its kind is set besides `base`.
struct OpenedDevice {
  device::Device* base = nullptr;
  device::cpu::Device* cpu = nullptr;
  device::cuda::Device* cuda = nullptr;
};

// Why a run should end early.
enum class Stop { none, interrupted, timed_out };

// Told of what happens, as it happens. Nothing it does changes the run.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void preparing(const record::Record&) {}
  virtual void sampled(const record::Record&, std::size_t /*samples_done*/, std::size_t /*samples_planned*/) {}

 protected:
  Observer() = default;
  Observer(const Observer&) = default;
  Observer& operator=(const Observer&) = default;
};

struct Hooks {
  std::function<OpenedDevice(const device::Name&)> open;  // throws device::Error
  std::function<bool()> interrupted;
  // How the machine is now, and the effective core clock in Hz; both may be empty, then conditions stay unknown.
  std::function<Reading()> conditions = {};
  std::function<std::optional<double>()> clock = {};
  // A GPU's clock by spin probe, and how it is now: asked after each interval on one. May be empty.
  std::function<std::optional<double>(const device::Name&)> gpu_clock = {};
  std::function<gpus::Sample(const device::Name&)> gpu_sample = {};
  // Does the work and says what it did, where a device counts instead of having a clock. May be empty.
  std::function<std::optional<device::Counted>(const device::Name&, const std::function<void()>&)> count = {};
};

// The records of all cases of the plan, in its order; the final ones of the plan as they are. Never throws for what a
// case does wrong: its record says so and the run goes on. A case with fewer rounds than asked for is `suspect`; one
// with none is `not_run`, with the reason.
std::vector<record::Record> run(const Plan& plan, const Settings& settings, const Hooks& hooks, Observer& observer);

}  // namespace ridge::bench
