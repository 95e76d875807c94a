// One side of attention on a GPU as a case: three launches with the scores in memory, a library's products with a
// softmax between them, or one launch.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bench/fusion/attention.hpp"
#include "bench/harness/told.hpp"
#include "kernels/attention/attention_kernels.hpp"
#include "kernels/attention/reference.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::cublaslt {
struct Table;
}

namespace ridge::bench::fusion {

// What every way shares: queries, keys, values, results and scores, and their check.
class CudaAttentionCase : public Case, public TellsFigures {
 public:
  record::Verification verify() override;
  device::Stream& stream() override { return stream_; }
  std::vector<Figure> figures() override { return {{"memory", static_cast<double>(borrowed_)}}; }

 protected:
  // device::Absent for a sequence that the softmax of materialised scores does not take.
  CudaAttentionCase(CudaContext& context, const ridge::attention::Shape& shape, bool materialised);

  // Memory of the context's, which counts.
  float* borrow(CudaContext& context, std::int64_t bytes);

  ridge::attention::Shape shape_;
  device::cuda::Stream& stream_;
  std::int64_t array_;  // elements of q, k, v, out each
  float* q_ = nullptr;  // (heads, sequence, head); on the device, as all of these
  float* k_ = nullptr;
  float* v_ = nullptr;
  float* out_ = nullptr;        // then guard_bytes
  float* scores_at_ = nullptr;  // (heads, sequence, sequence); null where tiled

 private:
  void fill(ridge::attention::Inputs inputs, bool zero);
  stream::Check check(ridge::attention::Inputs inputs);

  std::uint64_t seed_;
  bool zero_;
  std::int64_t borrowed_ = 0;
};

// By kernels of our own.
class CudaAttention final : public CudaAttentionCase {
 public:
  // `image` holds the kernels, so that tests can hand in wrong ones.
  CudaAttention(CudaContext& context, const ridge::attention::Shape& shape, bool is_fused,
                const device::cuda::Image& image);

  void run(std::int64_t repetitions) override;
  [[nodiscard]] std::optional<record::Work> work() const override;
  [[nodiscard]] std::vector<Besides> besides_work() const override;

 private:
  bool fused_;
  // Those of the side that it is.
  std::optional<device::cuda::Function<const float*, const float*, float*, std::int64_t, int>> scores_;
  std::optional<device::cuda::Function<float*, std::int64_t, std::int64_t, int>> softmax_;
  std::optional<device::cuda::Function<const float*, const float*, float*, std::int64_t, int>> values_;
  std::optional<device::cuda::Function<const float*, const float*, const float*, float*, std::int64_t, int>> tiled_;
};

// What the softmax of `heads` · `sequence` rows does besides its arrays, of `stored` scores.
std::vector<Besides> softmax_besides(const ridge::attention::Shape& shape, std::int64_t stored);

// cuBLASLt's batches of products with our softmax between them. Causal ones are computed whole, and what is not seen
// becomes 0 before it is multiplied with values. `table` is the library: null is the machine's, or on a reference GPU
// its stand-in. device::Absent without one.
std::unique_ptr<CudaAttentionCase> make_cuda_library_attention(CudaContext& context,
                                                               const ridge::attention::Shape& shape,
                                                               std::shared_ptr<const cublaslt::Table> table,
                                                               const device::cuda::Image& image);

}  // namespace ridge::bench::fusion
