// The stencil's case: planes shared out over the team.
#include "bench/roofline/cases.hpp"
#include "bench/roofline/team_case.hpp"

namespace ridge::bench::roofline {
namespace {

template <class T>
class StencilCase final : public TeamCase {
 public:
  StencilCase(ridge::roofline::StencilKernel<T> kernel, std::int64_t side, int threads, CpuContext& context)
      : TeamCase(context, threads), kernel_(kernel), n_(side), points_(side * side * side) {
    out_ = context.arena.borrow(points_ * std::int64_t{sizeof(T)} + guard_bytes).template as<T>();
    in_ = context.arena.borrow(points_ * std::int64_t{sizeof(T)}).template as<T>();
  }

 private:
  // Interior planes; of the whole cube, for what is not computed, the first and last rank take the faces as well.
  [[nodiscard]] device::cpu::Share mine(int rank) const {
    const auto [begin, end] = part(n_ - 2, rank, 1);
    return {begin + 1, end + 1};
  }
  [[nodiscard]] device::cpu::Share held(int rank) const {
    auto [begin, end] = mine(rank);
    if (rank == 0) begin = 0;
    if (rank == team_.size() - 1) end = n_;
    return {begin * n_ * n_, end * n_ * n_};
  }
  void repeat(int rank) override {
    const auto [begin, end] = mine(rank);
    kernel_({out_, in_, n_}, begin, end);
  }
  void fill(bool for_check) override {
    team_.parallel([&](int rank) {
      const auto [begin, end] = held(rank);
      fill_numbers(in_, 0, begin, end, for_check);
    });
  }
  void poison(int rank) override {
    const auto [begin, end] = held(rank);
    std::memset(out_ + begin, stream::poison_byte, static_cast<std::size_t>(end - begin) * sizeof(T));
  }
  stream::Check check(int rank) override {
    stream::Check result;
    const auto [begin, end] = held(rank);
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t z = i / (n_ * n_), y = i / n_ % n_, x = i % n_;
      const bool inside = std::min({z, y, x}) > 0 && std::max({z, y, x}) < n_ - 1;
      if (inside) {
        const auto want = ridge::roofline::stencil_expected(in_, n_, z, y, x);
        compare(result, i, out_[i], want.value, want.bound);
      } else if (!stream::untouched(out_ + i, sizeof(T)) && result.wrong++ == 0) {
        result.first_wrong = i;  // a face was written
      }
    }
    return result;
  }
  void* behind() override { return out_ + points_; }

  ridge::roofline::StencilKernel<T> kernel_;
  std::int64_t n_;
  std::int64_t points_;
  T* out_ = nullptr;  // (n, n, n), then guard_bytes
  T* in_ = nullptr;   // (n, n, n)
};

}  // namespace

template <class T>
std::unique_ptr<Case> make_stencil(ridge::roofline::StencilKernel<T> kernel, std::int64_t side, int threads,
                                   CpuContext& context) {
  return std::make_unique<StencilCase<T>>(kernel, side, threads, context);
}
template std::unique_ptr<Case> make_stencil<float>(ridge::roofline::StencilKernel<float>, std::int64_t, int,
                                                   CpuContext&);
template std::unique_ptr<Case> make_stencil<double>(ridge::roofline::StencilKernel<double>, std::int64_t, int,
                                                    CpuContext&);

}  // namespace ridge::bench::roofline
