// Attention by cuBLASLt's batches of products, scores in memory between them: what a framework without a fused kernel
// launches on a GPU.
#include "bench/fusion/cuda_attention.hpp"

#if __has_include(<cublasLt.h>)
#include <fmt/format.h>

#include <cmath>

#include "bench/gemm/cuda_case.hpp"
#include "kernels/cublaslt/product.hpp"

namespace ridge::bench::fusion {
namespace {

namespace lt = ridge::cublaslt;
namespace ra = ridge::attention;

class CudaLibraryAttention final : public CudaAttentionCase {
 public:
  CudaLibraryAttention(CudaContext& context, const ra::Shape& shape, std::shared_ptr<const lt::Table> table,
                       const device::cuda::Image& image)
      : CudaAttentionCase(context, shape, true), softmax_(context.device.function(image, ra::cuda_softmax)) {
    if (!table) table = gemm::cuda_library_table(context);
    void* const workspace = borrow(context, lt::workspace_bytes);
    const auto& properties = context.device.properties();
    const int capability = properties.capability_major * 10 + properties.capability_minor;
    lt::Product product;
    product.problem.batch = shape.heads, product.problem.m = shape.sequence;
    product.problem.n = shape.sequence, product.problem.k = shape.head;
    product.problem.b_transposed = true;
    product.alpha = 1 / std::sqrt(static_cast<double>(shape.head));
    lt::Memory memory;
    memory.workspace = workspace;
    memory.matrices = {scores_at_, q_, k_};
    scores_ = std::make_unique<lt::Gemm>(table, stream_, capability, product, memory);
    product.problem.n = shape.head, product.problem.k = shape.sequence;
    product.problem.b_transposed = false;
    product.alpha = 1;
    memory.matrices = {out_, scores_at_, v_};
    values_ = std::make_unique<lt::Gemm>(table, stream_, capability, product, memory);
  }

  void run(std::int64_t repetitions) override {
    const std::int64_t rows = shape_.heads * shape_.sequence;
    const device::cuda::Shape blocks{static_cast<unsigned>(rows), static_cast<unsigned>(ra::cuda_threads), 0};
    for (std::int64_t i = 0; i < repetitions; ++i) {
      scores_->multiply(stream_);
      softmax_(stream_, blocks, scores_at_, shape_.sequence, rows, shape_.causal ? ra::zeros_in_row : 0);
      values_->multiply(stream_);
    }
  }

  [[nodiscard]] std::optional<record::Work> work() const override {
    record::Work work;
    work.items = stored();
    work.bytes_read = 4 * (3 * array_ + ra::pairs(shape_) + stored());
    work.bytes_written = 4 * (array_ + 2 * stored());
    work.operations = stored() * 4 * shape_.head;
    const auto by = scores_->implementation(), also_by = values_->implementation();
    work.counting = fmt::format(
        "q, k, v read once and out written once; all scores written, read where they are seen, written and read again; "
        "two multiply-adds for each score and element of a head; by {}, kernels {}, {}",
        by.at("library"), by.at("kernel"), also_by.at("kernel"));
    return work;
  }

  [[nodiscard]] std::vector<Besides> besides_work() const override { return softmax_besides(shape_, stored()); }

 private:
  [[nodiscard]] std::int64_t stored() const { return shape_.heads * shape_.sequence * shape_.sequence; }

  device::cuda::Function<float*, std::int64_t, std::int64_t, int> softmax_;
  std::unique_ptr<lt::Gemm> scores_, values_;
};

}  // namespace

std::unique_ptr<CudaAttentionCase> make_cuda_library_attention(CudaContext& context, const ra::Shape& shape,
                                                               std::shared_ptr<const lt::Table> table,
                                                               const device::cuda::Image& image) {
  return std::make_unique<CudaLibraryAttention>(context, shape, std::move(table), image);
}

}  // namespace ridge::bench::fusion

#else

namespace ridge::bench::fusion {
std::unique_ptr<CudaAttentionCase> make_cuda_library_attention(CudaContext&, const ridge::attention::Shape&,
                                                               std::shared_ptr<const cublaslt::Table>,
                                                               const device::cuda::Image&) {
  throw device::Absent("this build has no cuBLASLt: cublasLt.h was missing");
}
}  // namespace ridge::bench::fusion

#endif
