// The bandwidth family on several GPUs at once: each on arrays of its own, all in one interval.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/bandwidth/cuda_case.hpp"
#include "kernels/device/cuda/together.hpp"

namespace ridge::bench::bandwidth {

class TogetherCase : public Case {
 public:
  using Make = std::function<std::unique_ptr<CheckedCase>(CudaContext&)>;
  // The measured GPU's arrays are the arena's; each other one's are memory of its own, `bytes_needed` of it.
  // `bytes_moved`: by one GPU in one repetition. Absent when there are fewer GPUs than that.
  TogetherCase(CudaContext& context, std::int64_t gpus, std::int64_t bytes_needed, std::int64_t bytes_moved,
               const Make& make);
  void run(std::int64_t repetitions) override;
  // Each GPU's answer, after all of them ran at once.
  record::Verification verify() override;
  device::Stream& stream() override { return *stream_; }
  [[nodiscard]] std::vector<Besides> besides_work() const override;
  std::vector<Part> parts() override;

 private:
  void add(CudaContext& context, device::cuda::Device& device, std::int64_t bytes_needed, const Make& make);

  struct Way {
    device::cuda::Device* device = nullptr;
    device::cuda::Stream* stream = nullptr;
    bool own = false;
    std::unique_ptr<device::Arena> arena;  // null: the run's
    std::unique_ptr<device::cuda::Event> begun, done;
    std::unique_ptr<CheckedCase> work;
  };

  device::cuda::Stream& measured_;
  std::int64_t bytes_moved_;
  std::int64_t last_repetitions_ = 1;
  std::unique_ptr<device::cuda::Event> begun_;
  std::vector<Way> ways_;
  std::unique_ptr<device::cuda::TogetherStream> stream_;
};

}  // namespace ridge::bench::bandwidth
