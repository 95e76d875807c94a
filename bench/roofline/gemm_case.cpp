// The blocked product's case: columns of C shared out over the team, each thread with a workspace of its own.
#include "bench/roofline/cases.hpp"
#include "bench/roofline/team_case.hpp"
#include "kernels/gemm/check.hpp"

namespace ridge::bench::roofline {
namespace {

template <class T>
class GemmCase final : public TeamCase {
 public:
  GemmCase(gemm::Kernel<T> kernel, std::int64_t n, int threads, CpuContext& context)
      : TeamCase(context, threads), kernel_(kernel), n_(n) {
    const std::int64_t matrix = n * n * std::int64_t{sizeof(T)};
    c_ = context.arena.borrow(matrix + guard_bytes).template as<T>();
    a_ = context.arena.borrow(matrix).template as<T>();
    b_ = context.arena.borrow(matrix).template as<T>();
    for (int rank = 0; rank < team_.size(); ++rank)
      workspaces_.push_back(
          context.arena.borrow(gemm::workspace_elements<T>() * std::int64_t{sizeof(T)}).template as<T>());
  }

 private:
  [[nodiscard]] gemm::Product<T> product() const { return {c_, a_, b_, n_, n_, n_}; }
  void repeat(int rank) override {
    const auto [begin, end] = part(n_, rank, gemm::column_block);
    kernel_(product(), workspaces_[static_cast<std::size_t>(rank)], begin, end);
  }
  // The check needs whole numbers; what is timed has full mantissas.
  void fill(bool for_check) override {
    team_.parallel([&](int rank) {
      const auto [begin, end] = part(n_ * n_, rank, 64 / std::int64_t{sizeof(T)});
      for (std::int64_t i = begin; i < end; ++i) {
        a_[i] = for_check ? gemm::entry<T>(seed_, 0, i) : numbers_.at<T>(0, i, false);
        b_[i] = for_check ? gemm::entry<T>(seed_, 1, i) : numbers_.at<T>(1, i, false);
      }
    });
  }
  void poison(int rank) override {
    const auto [begin, end] = part(n_ * n_, rank, 64 / std::int64_t{sizeof(T)});
    std::memset(c_ + begin, stream::poison_byte, static_cast<std::size_t>(end - begin) * sizeof(T));
  }
  // In rows of C.
  stream::Check check(int rank) override {
    const auto [begin, end] = part(n_, rank, 1);
    stream::Check result;
    result.checked = (end - begin) * n_;
    result.wrong = gemm::wrong_rows(gemm::operands(product()), seed_, begin, end);
    if (result.wrong > 0) result.first_wrong = begin * n_;
    return result;
  }
  void* behind() override { return c_ + n_ * n_; }

  gemm::Kernel<T> kernel_;
  std::int64_t n_;
  T* c_ = nullptr;  // (n, n), then guard_bytes
  T* a_ = nullptr;  // (n, n)
  T* b_ = nullptr;  // (n, n)
  std::vector<T*> workspaces_;
};

}  // namespace

template <class T>
std::unique_ptr<Case> make_gemm(gemm::Kernel<T> kernel, std::int64_t n, int threads, CpuContext& context) {
  return std::make_unique<GemmCase<T>>(kernel, n, threads, context);
}
template std::unique_ptr<Case> make_gemm<float>(gemm::Kernel<float>, std::int64_t, int, CpuContext&);
template std::unique_ptr<Case> make_gemm<double>(gemm::Kernel<double>, std::int64_t, int, CpuContext&);

}  // namespace ridge::bench::roofline
