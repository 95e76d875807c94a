// access.banks on a GPU.
#include <fmt/format.h>

#include <vector>

#include "bench/access/banks.hpp"
#include "bench/access/cuda_cases.hpp"
#include "kernels/access/access_image.hpp"
#include "kernels/access/access_kernels.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::access {
namespace {

namespace ra = ridge::access;

class BanksCase final : public Case {
 public:
  BanksCase(CudaContext& context, const record::Point& point, const device::cuda::Image& image)
      : stream_(context.device.stream()),
        kernel_(context.device.function(image, ra::banks)),
        stride_(point.integer("stride")),
        blocks_(context.device.grid(kernel_, ra::bank_threads, std::int64_t{1} << 20)),
        partial_(context.device.context(), std::int64_t{blocks_} * 4) {}

  void run(std::int64_t repetitions) override {
    for (std::int64_t i = 0; i < repetitions; ++i)
      kernel_(stream_, {blocks_, ra::bank_threads, 0}, stride_, bank_rounds, partial_.as<std::uint32_t>());
  }

  record::Verification verify() override {
    const std::uint32_t expected = ra::banks_sum(stride_, bank_rounds * ra::bank_steps);
    stream_.fill(partial_.as(), stream::poison_byte, partial_.bytes());
    run(1);
    std::vector<std::uint32_t> found(blocks_);
    stream_.copy_to_host(found.data(), partial_.as(), partial_.bytes());
    stream_.synchronize();
    record::Verification result;
    result.checked = blocks_;
    result.max_error = 0;
    result.bound = 0;
    result.status = record::Check::passed;
    for (unsigned block = 0; block < blocks_ && result.reason.empty(); ++block)
      if (found[block] != expected) {
        result.status = record::Check::failed;
        result.reason = fmt::format("block {} found {}, not {}", block, found[block], expected);
      }
    return result;
  }

  device::Stream& stream() override { return stream_; }

  [[nodiscard]] std::optional<record::Work> work() const override {
    record::Work work = banks_work({});
    work.items = std::int64_t{blocks_} * *work.items;
    work.bytes_read = std::int64_t{blocks_} * *work.bytes_read;
    work.counting = fmt::format("the words that lanes ask shared memory for, of {} blocks", blocks_);
    return work;
  }

  // Joining the sums of a block's warps passes through shared memory too; the first warp keeps its own.
  [[nodiscard]] std::vector<Besides> besides_work() const override {
    constexpr std::int64_t warps = ra::bank_threads / 32;
    constexpr std::int64_t filled = ra::bank_words + ra::bank_steps;
    return {{"filling shared memory", 0, std::int64_t{blocks_} * filled * 4, 0},
            {"joining the warps' sums", std::int64_t{blocks_} * (warps - 1) * 4, std::int64_t{blocks_} * warps * 4, 0}};
  }

 private:
  device::cuda::Stream& stream_;
  device::cuda::Function<std::int64_t, std::int64_t, std::uint32_t*> kernel_;
  std::int64_t stride_;
  unsigned blocks_;
  device::cuda::DeviceBuffer partial_;  // (blocks) of u32
};

}  // namespace

std::unique_ptr<Case> prepare_banks_cuda(CudaContext& context, const record::Point& point,
                                         const device::cuda::Image& image) {
  return std::make_unique<BanksCase>(context, point, image);
}

std::unique_ptr<Case> prepare_banks_cuda(CudaContext& context, const record::Point& point) {
  return prepare_banks_cuda(context, point, ra::access_image);
}

}  // namespace ridge::bench::access
