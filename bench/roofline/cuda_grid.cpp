// The stencil on a GPU.
#include "bench/roofline/cuda_case.hpp"
#include "bench/roofline/cuda_cases.hpp"
#include "kernels/roofline/grid.hpp"
#include "kernels/roofline/grid_kernels.hpp"

namespace ridge::bench::roofline {
namespace {

namespace rr = ridge::roofline;

const rr::CudaStencil<float>& kernel_for(float) {
  return rr::cuda_stencil_f32;
}
const rr::CudaStencil<double>& kernel_for(double) {
  return rr::cuda_stencil_f64;
}

template <class T>
class CudaStencilCase final : public CudaCase<T> {
 public:
  CudaStencilCase(CudaContext& context, std::int64_t side, const device::cuda::Image& image)
      : CudaCase<T>(context),
        kernel_(context.device.function(image, kernel_for(T{}))),
        n_(side),
        points_(side * side * side) {
    this->results_at(context.arena.borrow(points_ * std::int64_t{sizeof(T)} + guard_bytes).template as<T>(), points_);
    in_ = context.arena.borrow(points_ * std::int64_t{sizeof(T)}).template as<T>();
    fill(false);
  }
  // What is read is stated as read once; the other times a cache is to serve it.
  [[nodiscard]] std::vector<Besides> besides_work() const override {
    return {{"neighbours that a cache is to serve",
             (rr::stencil_requests(n_) - rr::stencil_reads(n_)) * std::int64_t{sizeof(T)}, 0, 0}};
  }

 private:
  void launch() override {
    kernel_(this->stream_,
            {static_cast<unsigned>(rr::stencil_blocks(n_)),
             static_cast<unsigned>(rr::stencil_width * rr::stencil_height), 0},
            in_, this->out_, n_);
  }
  void fill(bool for_check) override { this->upload_numbers(in_, 0, points_, for_check); }

  // Three planes of the input are made anew around the points of one.
  stream::Check check(std::int64_t begin, std::int64_t end, const T* have) override {
    const std::int64_t plane = n_ * n_;
    stream::Check result;
    std::vector<T> around;  // (3, n, n)
    std::int64_t made_for = -1;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t z = i / plane, y = i / n_ % n_, x = i % n_;
      const T& found = have[i - begin];
      if (std::min({z, y, x}) == 0 || std::max({z, y, x}) == n_ - 1) {
        if (!stream::untouched(&found, sizeof(T)) && result.wrong++ == 0) result.first_wrong = i;  // a face was written
        continue;
      }
      if (made_for != z) {
        around.resize(static_cast<std::size_t>(3 * plane));
        for (std::int64_t k = 0; k < 3 * plane; ++k)
          around[static_cast<std::size_t>(k)] = this->numbers_.template at<T>(0, (z - 1) * plane + k, true);
        made_for = z;
      }
      const auto want = rr::stencil_expected(around.data(), n_, 1, y, x);
      compare(result, i, found, want.value, want.bound);
    }
    return result;
  }

  device::cuda::Function<const T*, T*, std::int64_t> kernel_;
  std::int64_t n_;
  std::int64_t points_;
  T* in_ = nullptr;  // (n, n, n)
};

}  // namespace

template <class T>
std::unique_ptr<Case> make_cuda_stencil(CudaContext& context, std::int64_t side, const device::cuda::Image& image) {
  return std::make_unique<CudaStencilCase<T>>(context, side, image);
}
template std::unique_ptr<Case> make_cuda_stencil<float>(CudaContext&, std::int64_t, const device::cuda::Image&);
template std::unique_ptr<Case> make_cuda_stencil<double>(CudaContext&, std::int64_t, const device::cuda::Image&);

}  // namespace ridge::bench::roofline
