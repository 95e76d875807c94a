// access.transpose on a GPU.
#include <fmt/format.h>

#include <vector>

#include "bench/access/cuda_cases.hpp"
#include "bench/access/points.hpp"
#include "bench/access/transpose.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/stream/check.hpp"
#include "kernels/transpose/transpose_image.hpp"
#include "kernels/transpose/transpose_kernels.hpp"

namespace ridge::bench::access {
namespace {

namespace rt = ridge::transpose;

const rt::CudaKernel& kernel_of(const record::Point& point) {
  switch (rt::variant_from(point.text("variant")).value_or(rt::Variant::naive)) {
    case rt::Variant::tiled:
      return rt::cuda_tiled;
    case rt::Variant::padded:
      return rt::cuda_padded;
    case rt::Variant::swizzled:
      return rt::cuda_swizzled;
    case rt::Variant::naive:
      break;
  }
  return rt::cuda_naive;
}

class CudaTranspose final : public Case {
 public:
  CudaTranspose(CudaContext& context, const record::Point& point, const device::cuda::Image& image)
      : stream_(context.device.stream()),
        n_(side_of(point)),
        kernel_(context.device.function(image, kernel_of(point))),
        shape_{static_cast<unsigned>(rt::blocks_of(n_)), rt::threads, 0},
        zero_(context.fill == Fill::zero) {
    out_ = context.arena.borrow(bytes() + guard_bytes).as<std::uint32_t>();
    in_ = context.arena.borrow(bytes()).as<std::uint32_t>();
    fill(zero_);
  }

  void run(std::int64_t repetitions) override {
    for (std::int64_t i = 0; i < repetitions; ++i) kernel_(stream_, shape_, in_, out_, n_);
  }

  record::Verification verify() override {
    if (zero_) fill(false);
    stream_.fill(out_, stream::poison_byte, bytes() + guard_bytes);
    run(1);
    std::vector<std::uint32_t> have(static_cast<std::size_t>(n_ * n_ + guard_bytes / 4));
    stream_.copy_to_host(have.data(), out_, bytes() + guard_bytes);
    stream_.synchronize();
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < n_ * n_; ++i)
      wrong += have[static_cast<std::size_t>(i)] == rt::element(i % n_, i / n_, n_) ? 0 : 1;
    if (zero_) fill(true);
    record::Verification result;
    result.checked = n_ * n_;
    result.max_error = 0;
    result.bound = 0;
    const bool inside = stream::untouched(have.data() + n_ * n_, guard_bytes);
    result.status = wrong == 0 && inside ? record::Check::passed : record::Check::failed;
    if (wrong > 0) result.reason = fmt::format("{} of {} elements wrong", wrong, n_ * n_);
    if (wrong == 0 && !inside) result.reason = "wrote behind the last element";
    return result;
  }

  device::Stream& stream() override { return stream_; }

 private:
  [[nodiscard]] std::int64_t bytes() const { return n_ * n_ * 4; }
  void fill(bool zero) {
    std::vector<std::uint32_t> host(static_cast<std::size_t>(n_ * n_));
    for (std::int64_t i = 0; i < n_ * n_; ++i)
      host[static_cast<std::size_t>(i)] = zero ? 0 : rt::element(i / n_, i % n_, n_);
    stream_.copy_to_device(in_, host.data(), bytes());
    stream_.synchronize();
  }

  device::cuda::Stream& stream_;
  std::int64_t n_;
  device::cuda::Function<const std::uint32_t*, std::uint32_t*, std::int64_t> kernel_;
  device::cuda::Shape shape_;
  bool zero_;
  std::uint32_t* out_ = nullptr;  // (n, n), then guard_bytes; on the device
  std::uint32_t* in_ = nullptr;   // (n, n)
};

}  // namespace

std::unique_ptr<Case> prepare_transpose_cuda(CudaContext& context, const record::Point& point,
                                             const device::cuda::Image& image) {
  return std::make_unique<CudaTranspose>(context, point, image);
}

std::unique_ptr<Case> prepare_transpose_cuda(CudaContext& context, const record::Point& point) {
  return prepare_transpose_cuda(context, point, rt::transpose_image);
}

}  // namespace ridge::bench::access
