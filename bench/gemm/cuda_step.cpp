// The steps of our own on a GPU: which kernel, how many blocks, and what they read and compute beyond the least.
#include "bench/gemm/cuda_case.hpp"
#include "kernels/gemm/gemm_kernels.hpp"
#include "kernels/gemm/pipelined_image.hpp"
#include "kernels/gemm/scalar_image.hpp"
#include "kernels/gemm/tensor_image.hpp"

namespace ridge::bench::gemm {
namespace {

namespace rg = ridge::gemm;

const device::cuda::Image& image_of(const rg::GpuStep& step) {
  if (step.bf16) return rg::tensor_image;
  return step.name == "pipelined" || step.name == "warps" ? rg::pipelined_image : rg::scalar_image;
}

class CudaStep final : public GpuMultiplier {
 public:
  CudaStep(const rg::GpuStep& step, const rg::Problem& problem, const rg::Pointers& pointers, CudaContext& context,
           const device::cuda::Image& image)
      : step_(step),
        problem_(problem),
        pointers_(pointers),
        kernel_(context.device.function(image, step.kernel)),
        shape_{static_cast<unsigned>(rg::blocks_of(step, problem.m, problem.n)), step.threads, 0} {}

  void multiply(device::cuda::Stream& stream) override {
    if (shape_.blocks == 0) return;
    kernel_(stream, shape_, pointers_.a, pointers_.b, static_cast<float*>(pointers_.c),
            static_cast<std::int32_t>(problem_.m), static_cast<std::int32_t>(problem_.n),
            static_cast<std::int32_t>(problem_.k));
  }
  [[nodiscard]] std::map<std::string, std::string> implementation() const override {
    return {{"library", "none"}, {"kernel", step_.kernel.name}};
  }
  [[nodiscard]] std::vector<Besides> besides() const override {
    const auto [m, n, k] = std::tuple{problem_.m, problem_.n, problem_.k};
    const std::int64_t again = rg::loads_of(step_, m, n, k) - (m * k + k * n);
    return {
        {"A and B again, for each tile of C", again * rg::bytes_of(problem_.a), 0, 0},
        {"products with zeroes beyond the edges of tiles", 0, 0, rg::operations_of(step_, m, n, k) - 2 * m * n * k}};
  }

 private:
  const rg::GpuStep& step_;
  rg::Problem problem_;
  rg::Pointers pointers_;
  device::cuda::Function<const void*, const void*, float*, std::int32_t, std::int32_t, std::int32_t> kernel_;
  device::cuda::Shape shape_;
};

}  // namespace

std::unique_ptr<GpuMultiplier> make_cuda_step(const Question& question, const rg::Pointers& pointers,
                                              CudaContext& context, const device::cuda::Image* image) {
  const rg::GpuStep& step = *question.step;
  return std::make_unique<CudaStep>(step, question.problem, pointers, context,
                                    image != nullptr ? *image : image_of(step));
}

}  // namespace ridge::bench::gemm
