// A divergence kernel as a case: as many blocks as fit on the GPU at once.
#pragma once

#include "bench/divergence/points.hpp"
#include "kernels/device/cuda/device.hpp"

namespace ridge::bench::divergence {

class CudaCase final : public Case {
 public:
  // `image` holds the kernels, so that tests can hand in wrong ones.
  CudaCase(CudaContext& context, const ridge::divergence::Task& task, const device::cuda::Image& image);

  void run(std::int64_t repetitions) override;
  record::Verification verify() override;
  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::optional<record::Work> work() const override;

 private:
  [[nodiscard]] std::int64_t bytes() const { return count_ * 4; }

  device::cuda::Stream& stream_;
  ridge::divergence::Task task_;
  device::cuda::Function<const float*, float*, int, int, int, float> kernel_;
  device::cuda::Shape shape_;
  std::int64_t count_;              // threads, and values
  device::cuda::DeviceBuffer in_;   // (count) of f32
  device::cuda::DeviceBuffer out_;  // (count), then guard_bytes
};

}  // namespace ridge::bench::divergence
