// One side of a pair on a GPU as a case: a launch for each pass, or one for all.
#pragma once

#include <vector>

#include "bench/fusion/data.hpp"
#include "bench/fusion/points.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/fused/fused_kernels.hpp"

namespace ridge::bench::fusion {

// A kernel with what it does, as it is launched for so many rows.
struct StepLaunch {
  StepLaunch(CudaContext& context, const device::cuda::Image& image, const ridge::fused::CudaStep& what,
             std::int64_t rows);
  ridge::fused::CudaStep step;
  device::cuda::Function<ridge::fused::Operands, std::int64_t> function;
  device::cuda::Shape shape;
};

class CudaCase final : public Case {
 public:
  struct Shape {
    std::int64_t rows = 0;
    std::int64_t columns = 0;  // at most ridge::fused::most_row
    int ops = 1;               // of a chain
    double dropout = 0.1;      // of the pair that has it
  };
  // `image` holds the kernels, so that tests can hand in wrong ones.
  CudaCase(CudaContext& context, const Facts& facts, bool is_fused, const Shape& shape,
           const device::cuda::Image& image);

  void run(std::int64_t repetitions) override;
  record::Verification verify() override;
  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::optional<record::Work> work() const override;
  [[nodiscard]] std::vector<Besides> besides_work() const override;

 private:
  [[nodiscard]] std::int64_t elements() const { return shape_.rows * shape_.columns; }
  void fill(bool zero);
  void upload(float* dst, int which, std::int64_t count, bool zero);
  [[nodiscard]] stream::Check check();

  const Facts& facts_;
  bool fused_;
  Shape shape_;
  device::cuda::Stream& stream_;
  Data data_;
  bool zero_;
  std::vector<StepLaunch> launches_;  // of one repetition; none of a chain
  device::cuda::Function<float*, std::int64_t, int, int> chain_;
  device::cuda::Shape chain_shape_;
  ridge::fused::Operands o_;  // on the device; x is followed by guard_bytes
  float* residual_ = nullptr;
  float* bias_ = nullptr;
  float* beta_ = nullptr;
  std::int32_t* labels_ = nullptr;
};

}  // namespace ridge::bench::fusion
