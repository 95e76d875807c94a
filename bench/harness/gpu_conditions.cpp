// Adding up how a GPU was.
#include "bench/harness/gpu_conditions.hpp"

#include <algorithm>

namespace ridge::bench {

void GpuConditions::add(const gpus::Sample& sample) {
  ++samples_;
  if (sample.temperature_c) hottest_ = std::max(hottest_.value_or(*sample.temperature_c), *sample.temperature_c);
  if (sample.power_w) {
    ++powers_;
    power_sum_ += *sample.power_w;
  }
  if (!sample.throttled) return;
  ++told_;
  if (!*sample.throttled) return;
  ++throttled_;
  const std::string reason = sample.throttle_reason.value_or("unknown");
  if (reason != "power cap") ++judged_;
  if (reasons_.find(reason) == std::string::npos) reasons_ += (reasons_.empty() ? "" : "; ") + reason;
}

void GpuConditions::tell(record::Conditions& conditions) const {
  if (hottest_) conditions.temperature_c = hottest_;
  if (powers_ > 0) conditions.power_w = power_sum_ / powers_;
  if (told_ > 0) conditions.throttled = throttled_ > 0;
  if (throttled_ > 0) conditions.throttle_reason = reasons_;
}

bool GpuConditions::mostly_throttled() const {
  return samples_ > 0 && 2 * judged_ > samples_;
}

}  // namespace ridge::bench
