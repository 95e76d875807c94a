// One side of attention on a GPU as a case: three launches with the scores in memory, or one.
#pragma once

#include <optional>
#include <vector>

#include "bench/fusion/attention.hpp"
#include "bench/harness/told.hpp"
#include "kernels/attention/attention_kernels.hpp"
#include "kernels/attention/reference.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::fusion {

class CudaAttention final : public Case, public TellsFigures {
 public:
  // `image` holds the kernels, so that tests can hand in wrong ones. device::Absent for a sequence that the
  // materialised form's softmax does not take.
  CudaAttention(CudaContext& context, const ridge::attention::Shape& shape, bool is_fused,
                const device::cuda::Image& image);

  void run(std::int64_t repetitions) override;
  record::Verification verify() override;
  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::optional<record::Work> work() const override;
  [[nodiscard]] std::vector<Besides> besides_work() const override;
  std::vector<Figure> figures() override { return {{"memory", static_cast<double>(borrowed_)}}; }

 private:
  void fill(ridge::attention::Inputs inputs, bool zero);
  stream::Check check(ridge::attention::Inputs inputs);

  ridge::attention::Shape shape_;
  bool fused_;
  device::cuda::Stream& stream_;
  std::uint64_t seed_;
  bool zero_;
  std::int64_t array_;  // elements of q, k, v, out each
  std::int64_t borrowed_ = 0;
  // Those of the side that it is.
  std::optional<device::cuda::Function<const float*, const float*, float*, std::int64_t, int>> scores_;
  std::optional<device::cuda::Function<float*, std::int64_t, std::int64_t, int>> softmax_;
  std::optional<device::cuda::Function<const float*, const float*, float*, std::int64_t, int>> values_;
  std::optional<device::cuda::Function<const float*, const float*, const float*, float*, std::int64_t, int>> tiled_;
  float* q_ = nullptr;  // (heads, sequence, head); on the device, as all of these
  float* k_ = nullptr;
  float* v_ = nullptr;
  float* out_ = nullptr;        // then guard_bytes
  float* scores_at_ = nullptr;  // (heads, sequence, sequence); null where tiled
};

}  // namespace ridge::bench::fusion
