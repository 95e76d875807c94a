// The steps of a small computation as a case: a kernel for each, a graph of them, or one kernel that stays.
#pragma once

#include "bench/launch/points.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/device/cuda/graph.hpp"

namespace ridge::bench::launch {

class StepsCase final : public Case {
 public:
  // `image` holds the kernel, so that tests can hand in wrong ones.
  StepsCase(CudaContext& context, StepWay way, int steps, const device::cuda::Image& image);

  void run(std::int64_t repetitions) override;
  record::Verification verify() override;
  device::Stream& stream() override { return *stream_; }

 private:
  void launch(int first, int count);

  StepWay way_;
  int steps_;
  std::uint64_t seed_;
  std::unique_ptr<device::cuda::Stream> stream_;  // of its own, without a gate: what the host does belongs to it
  device::cuda::Function<float*, float*, int, int> function_;
  float* even_ = nullptr;                       // (step_elements), then guard bytes; on the device
  float* odd_ = nullptr;                        // the same
  std::unique_ptr<device::cuda::Graph> graph_;  // null: it is not the way
};

}  // namespace ridge::bench::launch
