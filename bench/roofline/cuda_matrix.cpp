// The peaks of a GPU's matrix units: nothing but matrix instructions, checked to the bit on whole numbers.
#include <fmt/format.h>

#include "bench/roofline/cuda_case.hpp"
#include "bench/roofline/cuda_cases.hpp"
#include "bench/roofline/cuda_operands.hpp"
#include "kernels/roofline/matrix_kernels.hpp"

namespace ridge::bench::roofline {
namespace {

namespace rr = ridge::roofline;
using device::cuda::Image;

template <class In>
class MatrixCase final : public CudaCase<typename In::Sum> {
 public:
  using Element = typename In::Element;
  using Sum = typename In::Sum;

  MatrixCase(CudaContext& context, const rr::MatrixInstruction& instruction, std::int64_t steps, const Image& image)
      : CudaCase<Sum>(context),
        instruction_(instruction),
        kernel_(context.device.function(image, instruction.kernel)),
        steps_(steps),
        blocks_(context.device.grid(kernel_, rr::matrix_threads, std::int64_t{1} << 30)),
        a_(context.device.context(), std::int64_t{instruction.m} * instruction.k * std::int64_t{sizeof(Element)}),
        b_(context.device.context(),
           std::int64_t{rr::matrix_chains} * instruction.n * instruction.k * std::int64_t{sizeof(Element)}),
        out_buffer_(context.device.context(), sums() * std::int64_t{sizeof(Sum)} + guard_bytes) {
    this->results_at(out_buffer_.template as<Sum>(), sums());
    fill(false);
  }
  [[nodiscard]] std::optional<record::Work> work() const override {
    record::Work work;
    work.items = sums() / per_product() * steps_;
    work.operations = *work.items * 2 * per_product() * instruction_.k;
    work.counting = fmt::format("2·{}·{}·{} operations for each {}", instruction_.m, instruction_.n, instruction_.k,
                                instruction_.text);
    return work;
  }

 private:
  [[nodiscard]] std::int64_t per_product() const { return std::int64_t{instruction_.m} * instruction_.n; }
  [[nodiscard]] std::int64_t sums() const {
    return std::int64_t{blocks_} * (rr::matrix_threads / 32) * rr::matrix_chains * per_product();
  }
  // What is checked: whole numbers that every type here holds, all bytes where those are the type. Sums of as many as
  // matrix_steps are exact.
  [[nodiscard]] std::int64_t whole(int which, std::int64_t i) const {
    return OperandNumbers{this->numbers_}.template whole<Sum>(which, i, 4);
  }
  void fill(bool for_check) override {
    const auto put = [&](const device::cuda::DeviceBuffer& to, int which) {
      this->upload(to.as<Element>(), to.bytes() / std::int64_t{sizeof(Element)}, [&](std::int64_t i) {
        return In::of(for_check ? static_cast<double>(whole(which, i))
                                : OperandNumbers{this->numbers_}.template timed<Sum>(which, i));
      });
    };
    put(a_, 0);
    put(b_, 1);
  }
  void launch() override {
    kernel_(this->stream_, {blocks_, rr::matrix_threads, 0}, a_.as(), b_.as(), this->out_,
            static_cast<std::int32_t>(steps_));
  }
  // All warps compute the same products from starts of their own; each product is computed once here.
  stream::Check check(std::int64_t begin, std::int64_t end, const Sum* have) override {
    if (products_.empty())
      for (std::int64_t i = 0; i < rr::matrix_chains * per_product(); ++i) {
        const std::int64_t chain = i / per_product(), row = i / instruction_.n % instruction_.m,
                           column = i % instruction_.n;
        std::int64_t sum = 0;
        for (std::int64_t k = 0; k < instruction_.k; ++k)
          sum += whole(0, row * instruction_.k + k) * whole(1, (chain * instruction_.n + column) * instruction_.k + k);
        products_.push_back(sum * steps_);
      }
    const auto of_warp = static_cast<std::int64_t>(products_.size());
    stream::Check result;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t want = i / of_warp % rr::matrix_starts + products_[static_cast<std::size_t>(i % of_warp)];
      ++result.checked;
      if (have[i - begin] != wrapped<Sum>(want) && result.wrong++ == 0) result.first_wrong = i;
    }
    return result;
  }
  const rr::MatrixInstruction& instruction_;
  device::cuda::Function<const void*, const void*, void*, std::int32_t> kernel_;
  std::int64_t steps_;
  unsigned blocks_;
  device::cuda::DeviceBuffer a_;           // (M, K)
  device::cuda::DeviceBuffer b_;           // (matrix_chains, N, K)
  device::cuda::DeviceBuffer out_buffer_;  // (warps, matrix_chains, M, N), then guard_bytes
  std::vector<std::int64_t> products_;     // (matrix_chains, M, N): what a warp adds to its start
};

}  // namespace

std::unique_ptr<Case> make_cuda_matrix(CudaContext& context, const std::string& dtype, std::int64_t steps,
                                       const Image& image) {
  const rr::MatrixInstruction* const found = rr::matrix_instruction(dtype);
  if (found == nullptr) throw device::Absent(fmt::format("no matrix instruction of {} is known", dtype));
  if (dtype == "f16") return std::make_unique<MatrixCase<InF16>>(context, *found, steps, image);
  if (dtype == "tf32") return std::make_unique<MatrixCase<InTf32>>(context, *found, steps, image);
  if (dtype == "f64") return std::make_unique<MatrixCase<InF64>>(context, *found, steps, image);
  if (dtype == "int8") return std::make_unique<MatrixCase<InInt8>>(context, *found, steps, image);
  return std::make_unique<MatrixCase<InBf16>>(context, *found, steps, image);
}

}  // namespace ridge::bench::roofline
