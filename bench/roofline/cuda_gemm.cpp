// The dense product on a GPU: the last step of the ladder's that adds up f32.
#include "bench/roofline/checking.hpp"
#include "bench/roofline/cuda_cases.hpp"
#include "kernels/gemm/check.hpp"
#include "kernels/gemm/gemm_kernels.hpp"

namespace ridge::bench::roofline {
namespace {

namespace rg = ridge::gemm;

constexpr const rg::GpuStep& step = *rg::gpu_step("warps");

// Square matrices. As on a CPU the check is exact, on whole numbers; what is timed has full mantissas.
class CudaGemmCase final : public Case {
 public:
  CudaGemmCase(CudaContext& context, std::int64_t n, const device::cuda::Image& image)
      : stream_(context.device.stream()),
        kernel_(context.device.function(image, step.kernel)),
        numbers_{context.seed, context.fill == Fill::zero},
        n_(n) {
    c_ = context.arena.borrow(bytes() + guard_bytes).as<float>();
    a_ = context.arena.borrow(bytes()).as<float>();
    b_ = context.arena.borrow(bytes()).as<float>();
    fill(false);
  }

  void run(std::int64_t repetitions) override {
    const device::cuda::Shape shape{static_cast<unsigned>(rg::blocks_of(step, n_, n_)), step.threads, 0};
    const auto n = static_cast<std::int32_t>(n_);
    for (std::int64_t i = 0; i < repetitions; ++i) kernel_(stream_, shape, a_, b_, c_, n, n, n);
  }

  record::Verification verify() override {
    fill(true);
    stream_.fill(c_, stream::poison_byte, bytes() + guard_bytes);
    run(1);
    std::vector<char> c(static_cast<std::size_t>(bytes() + guard_bytes));
    stream_.copy_to_host(c.data(), c_, bytes() + guard_bytes);
    stream_.synchronize();
    const rg::Operands operands{matrix(host_a_.data()), matrix(host_b_.data()), matrix(c.data())};
    stream::Check check;
    check.checked = n_ * n_;
    check.wrong = rg::wrong_rows(operands, numbers_.seed, 0, n_);
    if (check.wrong > 0) check.first_wrong = 0;
    const auto result = verdict(check, stream::untouched(c.data() + bytes(), guard_bytes));
    fill(false);
    return result;
  }

  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::vector<Besides> besides_work() const override {
    const std::int64_t again = rg::loads_of(step, n_, n_, n_) - 2 * n_ * n_;
    return {{"A and B again, for each tile of C", again * 4, 0, 0},
            {"products with zeroes beyond the edges of tiles", 0, 0,
             rg::operations_of(step, n_, n_, n_) - 2 * n_ * n_ * n_}};
  }

 private:
  [[nodiscard]] std::int64_t bytes() const { return n_ * n_ * std::int64_t{sizeof(float)}; }
  [[nodiscard]] rg::Matrix matrix(void* data) const { return {data, rg::Type::f32, n_, n_, false}; }

  // The host's copies live as long as they are needed: the check reads them.
  void fill(bool for_check) {
    for (const auto& [host, device, which] : {std::tuple{&host_a_, a_, 0}, std::tuple{&host_b_, b_, 1}}) {
      host->resize(static_cast<std::size_t>(n_ * n_));
      for (std::int64_t i = 0; i < n_ * n_; ++i)
        (*host)[static_cast<std::size_t>(i)] =
            for_check ? rg::entry<float>(numbers_.seed, which, i) : numbers_.at<float>(which, i, false);
      stream_.copy_to_device(device, host->data(), bytes());
    }
    stream_.synchronize();
    if (!for_check) host_a_ = {}, host_b_ = {};
  }

  device::cuda::Stream& stream_;
  device::cuda::Function<const void*, const void*, float*, std::int32_t, std::int32_t, std::int32_t> kernel_;
  Numbers numbers_;
  std::int64_t n_;
  float* c_ = nullptr;  // (n, n), then guard_bytes
  float* a_ = nullptr;  // (n, n)
  float* b_ = nullptr;  // (n, n)
  std::vector<float> host_a_, host_b_;
};

}  // namespace

std::unique_ptr<Case> make_cuda_gemm(CudaContext& context, std::int64_t n, const device::cuda::Image& image) {
  return std::make_unique<CudaGemmCase>(context, n, image);
}

}  // namespace ridge::bench::roofline
