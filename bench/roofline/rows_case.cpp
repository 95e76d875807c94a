// Matrix times vector, dense and sparse: rows shared out over the team.
#include "bench/roofline/cases.hpp"
#include "bench/roofline/team_case.hpp"

namespace ridge::bench::roofline {
namespace {

using ridge::roofline::row_nonzeros;

template <class T>
class GemvCase final : public TeamCase {
 public:
  GemvCase(ridge::roofline::DenseKernel<T> kernel, std::int64_t n, int threads, CpuContext& context)
      : TeamCase(context, threads), kernel_(kernel), n_(n) {
    y_ = context.arena.borrow(n * std::int64_t{sizeof(T)} + guard_bytes).template as<T>();
    a_ = context.arena.borrow(n * n * std::int64_t{sizeof(T)}).template as<T>();
    x_ = context.arena.borrow(n * std::int64_t{sizeof(T)}).template as<T>();
  }

 private:
  [[nodiscard]] device::cpu::Share mine(int rank) const { return part(n_, rank, 64 / std::int64_t{sizeof(T)}); }
  void repeat(int rank) override {
    const auto [begin, end] = mine(rank);
    kernel_({y_, a_, x_, n_}, begin, end);
  }
  void fill(bool for_check) override {
    team_.parallel([&](int rank) {
      const auto [begin, end] = mine(rank);
      fill_numbers(a_, 0, begin * n_, end * n_, for_check);
      fill_numbers(x_, 1, begin, end, for_check);
    });
  }
  void poison(int rank) override {
    const auto [begin, end] = mine(rank);
    std::memset(y_ + begin, stream::poison_byte, static_cast<std::size_t>(end - begin) * sizeof(T));
  }
  stream::Check check(int rank) override {
    stream::Check result;
    const auto [begin, end] = mine(rank);
    for (std::int64_t i = begin; i < end; ++i) {
      SumOfProducts want;
      for (std::int64_t j = 0; j < n_; ++j) want.add(a_[i * n_ + j], x_[j]);
      compare(result, i, y_[i], want.sum, ridge::roofline::row_bound<T>(n_, static_cast<double>(want.magnitude)));
    }
    return result;
  }
  void* behind() override { return y_ + n_; }

  ridge::roofline::DenseKernel<T> kernel_;
  std::int64_t n_;
  T* y_ = nullptr;  // (n), then guard_bytes
  T* a_ = nullptr;  // (n, n)
  T* x_ = nullptr;  // (n)
};

template <class T>
class SpmvCase final : public TeamCase {
 public:
  SpmvCase(ridge::roofline::SparseKernel<T> kernel, std::int64_t rows, int threads, CpuContext& context)
      : TeamCase(context, threads), kernel_(kernel), rows_(rows) {
    y_ = context.arena.borrow(rows * std::int64_t{sizeof(T)} + guard_bytes).template as<T>();
    values_ = context.arena.borrow(rows * row_nonzeros * std::int64_t{sizeof(T)}).template as<T>();
    columns_ = context.arena.borrow(rows * row_nonzeros * 4).template as<std::int32_t>();
    starts_ = context.arena.borrow((rows + 1) * 8).template as<std::int64_t>();
    x_ = context.arena.borrow(rows * std::int64_t{sizeof(T)}).template as<T>();
  }

 private:
  [[nodiscard]] device::cpu::Share mine(int rank) const { return part(rows_, rank, 64 / std::int64_t{sizeof(T)}); }
  void repeat(int rank) override {
    const auto [begin, end] = mine(rank);
    kernel_({y_, values_, columns_, starts_, x_}, begin, end);
  }
  void fill(bool for_check) override {
    team_.parallel([&](int rank) {
      const auto [begin, end] = mine(rank);
      for (std::int64_t row = begin; row < end; ++row) {
        starts_[row] = row * row_nonzeros;
        for (std::int64_t entry = 0; entry < row_nonzeros; ++entry)
          columns_[row * row_nonzeros + entry] = ridge::roofline::column_of(seed_, row, entry, rows_);
      }
      if (rank == team_.size() - 1) starts_[rows_] = rows_ * row_nonzeros;
      fill_numbers(values_, 0, begin * row_nonzeros, end * row_nonzeros, for_check);
      fill_numbers(x_, 1, begin, end, for_check);
    });
  }
  void poison(int rank) override {
    const auto [begin, end] = mine(rank);
    std::memset(y_ + begin, stream::poison_byte, static_cast<std::size_t>(end - begin) * sizeof(T));
  }
  stream::Check check(int rank) override {
    stream::Check result;
    const auto [begin, end] = mine(rank);
    for (std::int64_t row = begin; row < end; ++row) {
      SumOfProducts want;
      for (std::int64_t entry = 0; entry < row_nonzeros; ++entry)
        want.add(values_[row * row_nonzeros + entry], x_[ridge::roofline::column_of(seed_, row, entry, rows_)]);
      compare(result, row, y_[row], want.sum,
              ridge::roofline::row_bound<T>(row_nonzeros, static_cast<double>(want.magnitude)));
    }
    return result;
  }
  void* behind() override { return y_ + rows_; }

  ridge::roofline::SparseKernel<T> kernel_;
  std::int64_t rows_;
  T* y_ = nullptr;                   // (rows), then guard_bytes
  T* values_ = nullptr;              // (rows · row_nonzeros)
  std::int32_t* columns_ = nullptr;  // (rows · row_nonzeros)
  std::int64_t* starts_ = nullptr;   // (rows + 1)
  T* x_ = nullptr;                   // (rows)
};

}  // namespace

template <class T>
std::unique_ptr<Case> make_gemv(ridge::roofline::DenseKernel<T> kernel, std::int64_t n, int threads,
                                CpuContext& context) {
  return std::make_unique<GemvCase<T>>(kernel, n, threads, context);
}
template <class T>
std::unique_ptr<Case> make_spmv(ridge::roofline::SparseKernel<T> kernel, std::int64_t rows, int threads,
                                CpuContext& context) {
  return std::make_unique<SpmvCase<T>>(kernel, rows, threads, context);
}
template std::unique_ptr<Case> make_gemv<float>(ridge::roofline::DenseKernel<float>, std::int64_t, int, CpuContext&);
template std::unique_ptr<Case> make_gemv<double>(ridge::roofline::DenseKernel<double>, std::int64_t, int, CpuContext&);
template std::unique_ptr<Case> make_spmv<float>(ridge::roofline::SparseKernel<float>, std::int64_t, int, CpuContext&);
template std::unique_ptr<Case> make_spmv<double>(ridge::roofline::SparseKernel<double>, std::int64_t, int, CpuContext&);

}  // namespace ridge::bench::roofline
