// How a GPU was while the samples of one record were taken.
#pragma once

#include <string>

#include "kernels/gpus/survey.hpp"
#include "reports/record/record.hpp"

namespace ridge::bench {

class GpuConditions {
 public:
  // After each interval.
  void add(const gpus::Sample& sample);
  // Fills what was told: the highest temperature, the mean power, whether any sample was throttled and by what. Facts
  // that NVML never told stay as they are.
  void tell(record::Conditions& conditions) const;
  // More than half of the samples were held down by something else than the power cap, which some GPUs reach in any
  // long computation: that is noted, not judged.
  [[nodiscard]] bool mostly_throttled() const;
  [[nodiscard]] const std::string& reasons() const { return reasons_; }

 private:
  int samples_ = 0;
  int told_ = 0;       // samples that said whether they were throttled
  int throttled_ = 0;  // by anything
  int judged_ = 0;     // by more than the power cap
  int powers_ = 0;
  double power_sum_ = 0;
  std::optional<double> hottest_;
  std::string reasons_;  // each once
};

}  // namespace ridge::bench
