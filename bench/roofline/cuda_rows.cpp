// Matrix times vector on a GPU, dense and sparse.
#include "bench/roofline/cuda_case.hpp"
#include "bench/roofline/cuda_cases.hpp"
#include "kernels/roofline/rows.hpp"
#include "kernels/roofline/rows_kernels.hpp"

namespace ridge::bench::roofline {
namespace {

namespace rr = ridge::roofline;
using rr::row_nonzeros;

template <class T>
constexpr const rr::CudaGemv<T>& gemv_kernel() {
  if constexpr (sizeof(T) == 4)
    return rr::cuda_gemv_f32;
  else
    return rr::cuda_gemv_f64;
}
template <class T>
constexpr const rr::CudaSpmv<T>& spmv_kernel() {
  if constexpr (sizeof(T) == 4)
    return rr::cuda_spmv_f32;
  else
    return rr::cuda_spmv_f64;
}

template <class T>
class CudaGemvCase final : public CudaCase<T> {
 public:
  CudaGemvCase(CudaContext& context, std::int64_t n, const device::cuda::Image& image)
      : CudaCase<T>(context), kernel_(context.device.function(image, gemv_kernel<T>())), n_(n) {
    this->results_at(context.arena.borrow(n * bytes + guard_bytes).template as<T>(), n);
    a_ = context.arena.borrow(n * n * bytes).template as<T>();
    x_ = context.arena.borrow(n * bytes).template as<T>();
    fill(false);
  }
  [[nodiscard]] std::vector<Besides> besides_work() const override {
    const std::int64_t passes = n_ / rr::gemv_rows + n_ % rr::gemv_rows;  // over x, one for each group of rows
    return {{"x again for each group of rows", (passes - 1) * n_ * bytes, 0, 0},
            {"joining each row's 32 sums", 0, 0, n_ * 5 * 32}};
  }

 private:
  static constexpr std::int64_t bytes = sizeof(T);

  void launch() override {
    const std::int64_t warps = (n_ + rr::gemv_rows - 1) / rr::gemv_rows;
    kernel_(this->stream_, {blocks_for(warps * 32, rr::rows_threads), rr::rows_threads, 0}, a_, x_, this->out_, n_, n_);
  }
  void fill(bool for_check) override {
    this->upload_numbers(a_, 0, n_ * n_, for_check);
    this->upload_numbers(x_, 1, n_, for_check);
  }
  stream::Check check(std::int64_t begin, std::int64_t end, const T* have) override {
    stream::Check result;
    for (std::int64_t i = begin; i < end; ++i) {
      SumOfProducts want;
      for (std::int64_t j = 0; j < n_; ++j)
        want.add(this->numbers_.template at<T>(0, i * n_ + j, true), this->numbers_.template at<T>(1, j, true));
      compare(result, i, have[i - begin], want.sum, rr::row_bound<T>(n_, static_cast<double>(want.magnitude)));
    }
    return result;
  }

  device::cuda::Function<const T*, const T*, T*, std::int64_t, std::int64_t> kernel_;
  std::int64_t n_;
  T* a_ = nullptr;  // (n, n)
  T* x_ = nullptr;  // (n)
};

template <class T>
class CudaSpmvCase final : public CudaCase<T> {
 public:
  CudaSpmvCase(CudaContext& context, std::int64_t rows, SparseRows lengths, const device::cuda::Image& image)
      : CudaCase<T>(context),
        kernel_(context.device.function(image, spmv_kernel<T>())),
        rows_(rows),
        lengths_(lengths),
        nonzeros_(sparse_start(lengths, rows)) {
    this->results_at(context.arena.borrow(rows * bytes + guard_bytes).template as<T>(), rows);
    values_ = context.arena.borrow(nonzeros_ * bytes).template as<T>();
    columns_ = context.arena.borrow(nonzeros_ * 4).template as<std::int32_t>();
    starts_ = context.arena.borrow((rows + 1) * 8).template as<std::int64_t>();
    x_ = context.arena.borrow(rows * bytes).template as<T>();
    this->upload(starts_, rows + 1, [=](std::int64_t row) { return sparse_start(lengths, row); });
    std::int64_t row = 0;
    this->upload(columns_, nonzeros_, [&](std::int64_t i) {
      while (sparse_start(lengths, row + 1) <= i) ++row;
      return column(row, i - sparse_start(lengths, row));
    });
    fill(false);
  }
  [[nodiscard]] std::vector<Besides> besides_work() const override {
    constexpr std::int64_t per_warp = 32 / rr::spmv_lanes;  // rows
    const std::int64_t warps = (rows_ + per_warp - 1) / per_warp;
    return {{"x again, each element as often as there are nonzeros in its column", (nonzeros_ - rows_) * bytes, 0, 0},
            {"both ends of a row read by each of its lanes", rows_ * rr::spmv_lanes * 16 - (rows_ + 1) * 8, 0, 0},
            {"joining each row's sums", 0, 0, warps * 32 * 3}};
  }

 private:
  static constexpr std::int64_t bytes = sizeof(T);
  static_assert(rr::spmv_lanes == 8, "three steps join them");

  [[nodiscard]] std::int32_t column(std::int64_t row, std::int64_t entry) const {
    return rr::column_of(this->numbers_.seed, row, entry, rows_);
  }
  void launch() override {
    kernel_(this->stream_, {blocks_for(rows_ * rr::spmv_lanes, rr::rows_threads), rr::rows_threads, 0}, values_,
            columns_, starts_, x_, this->out_, rows_);
  }
  void fill(bool for_check) override {
    this->upload_numbers(values_, 0, nonzeros_, for_check);
    this->upload_numbers(x_, 1, rows_, for_check);
  }
  stream::Check check(std::int64_t begin, std::int64_t end, const T* have) override {
    stream::Check result;
    for (std::int64_t row = begin; row < end; ++row) {
      SumOfProducts want;
      const std::int64_t first = sparse_start(lengths_, row), length = sparse_start(lengths_, row + 1) - first;
      for (std::int64_t entry = 0; entry < length; ++entry)
        want.add(this->numbers_.template at<T>(0, first + entry, true),
                 this->numbers_.template at<T>(1, column(row, entry), true));
      compare(result, row, have[row - begin], want.sum, rr::row_bound<T>(length, static_cast<double>(want.magnitude)));
    }
    return result;
  }

  device::cuda::Function<const T*, const std::int32_t*, const std::int64_t*, const T*, T*, std::int64_t> kernel_;
  std::int64_t rows_;
  SparseRows lengths_;
  std::int64_t nonzeros_;
  T* values_ = nullptr;              // (nonzeros)
  std::int32_t* columns_ = nullptr;  // (nonzeros)
  std::int64_t* starts_ = nullptr;   // (rows + 1)
  T* x_ = nullptr;                   // (rows)
};

}  // namespace

template <class T>
std::unique_ptr<Case> make_cuda_gemv(CudaContext& context, std::int64_t n, const device::cuda::Image& image) {
  return std::make_unique<CudaGemvCase<T>>(context, n, image);
}
template <class T>
std::unique_ptr<Case> make_cuda_spmv(CudaContext& context, std::int64_t rows, SparseRows lengths,
                                     const device::cuda::Image& image) {
  return std::make_unique<CudaSpmvCase<T>>(context, rows, lengths, image);
}

std::int64_t sparse_start(SparseRows lengths, std::int64_t row) {
  if (lengths == SparseRows::alike) return row * row_nonzeros;
  constexpr std::int64_t all = 41 * 40 / 2;  // of 41 rows
  return row / 41 * all + (row % 41) * (row % 41 - 1) / 2;
}

template std::unique_ptr<Case> make_cuda_gemv<float>(CudaContext&, std::int64_t, const device::cuda::Image&);
template std::unique_ptr<Case> make_cuda_gemv<double>(CudaContext&, std::int64_t, const device::cuda::Image&);
template std::unique_ptr<Case> make_cuda_spmv<float>(CudaContext&, std::int64_t, SparseRows,
                                                     const device::cuda::Image&);
template std::unique_ptr<Case> make_cuda_spmv<double>(CudaContext&, std::int64_t, SparseRows,
                                                      const device::cuda::Image&);

}  // namespace ridge::bench::roofline
