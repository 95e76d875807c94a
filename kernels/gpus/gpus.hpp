// All GPUs of this process: the machine's own, and reference GPUs that exist anywhere; told, opened, sampled, counted.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "kernels/device/counted.hpp"
#include "kernels/gpus/survey.hpp"

namespace ridge::device::cuda {
class Device;
}

namespace ridge::gpus {

struct Options {
  int reference_gpus = 2;  // ptx:0, ptx:1, …
  std::int64_t reference_memory = std::int64_t{1} << 30;
  int reference_multiprocessors = 4;
};

class Gpus {
 public:
  // Opens the driver and NVML; nothing of it throws. In a build without CUDA there are no GPUs of either kind, and the
  // survey says so.
  explicit Gpus(const Options& options = {});
  ~Gpus();
  Gpus(const Gpus&) = delete;
  Gpus& operator=(const Gpus&) = delete;

  [[nodiscard]] const Survey& survey() const { return survey_; }
  [[nodiscard]] const Survey& reference() const { return reference_; }

  // Opens cuda:N or ptx:N at first use and keeps it. device::Error when it is not there or cannot be opened.
  device::cuda::Device& open(const device::Name& name);
  // The same as what the harness knows a device by.
  device::Device& base(const device::Name& name);
  // Everything unknown where NVML does not tell.
  [[nodiscard]] Sample sample(const device::Name& name) const;
  // The SM clock by a spin of some 200 µs.
  std::optional<double> effective_clock(const device::Name& name);
  // Does `work` and says what it did; nothing on a device that does not count (`work` is then not done).
  std::optional<device::Counted> count(const device::Name& name, const std::function<void()>& work);
  // What a person should know about how that device was measured; nothing of one that was never opened.
  [[nodiscard]] std::vector<std::string> notes(const device::Name& name) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  Survey survey_;
  Survey reference_;
};

}  // namespace ridge::gpus
