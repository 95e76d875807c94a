// The ladder's and the peaks' case.
#include "bench/roofline/cases.hpp"
#include "bench/roofline/team_case.hpp"

namespace ridge::bench::roofline {
namespace {

template <class T>
class ChainCase final : public TeamCase {
 public:
  ChainCase(ridge::roofline::ChainKernel<T> kernel, std::int64_t operations, std::int64_t count, int threads,
            CpuContext& context)
      : TeamCase(context, threads), kernel_(kernel), count_(count) {
    out_ = context.arena.borrow(count * std::int64_t{sizeof(T)} + guard_bytes).template as<T>();
    in_ = context.arena.borrow(count * std::int64_t{sizeof(T)}).template as<T>();
    chain_ = {out_, in_, operations};
  }

 private:
  [[nodiscard]] device::cpu::Share mine(int rank) const { return part(count_, rank, ridge::roofline::chain_block); }
  void repeat(int rank) override {
    const auto [begin, end] = mine(rank);
    kernel_(chain_, begin, end);
  }
  void fill(bool for_check) override {
    team_.parallel([&](int rank) {
      const auto [begin, end] = mine(rank);
      fill_numbers(in_, 0, begin, end, for_check);
    });
  }
  void poison(int rank) override {
    const auto [begin, end] = mine(rank);
    std::memset(out_ + begin, stream::poison_byte, static_cast<std::size_t>(end - begin) * sizeof(T));
  }
  stream::Check check(int rank) override {
    const ridge::roofline::ChainOracle<T> oracle(chain_.operations);
    const auto [begin, end] = mine(rank);
    stream::Check result;
    for (std::int64_t i = begin; i < end; ++i) {
      const T x = in_[i];
      compare(result, i, out_[i], oracle.expected(x), oracle.bound(x));
    }
    return result;
  }
  void* behind() override { return out_ + count_; }

  ridge::roofline::ChainKernel<T> kernel_;
  std::int64_t count_;
  T* out_ = nullptr;  // (count), then guard_bytes
  T* in_ = nullptr;   // (count)
  ridge::roofline::Chain<T> chain_;
};

}  // namespace

template <class T>
std::unique_ptr<Case> make_chain(ridge::roofline::ChainKernel<T> kernel, std::int64_t operations, std::int64_t count,
                                 int threads, CpuContext& context) {
  return std::make_unique<ChainCase<T>>(kernel, operations, count, threads, context);
}
template std::unique_ptr<Case> make_chain<float>(ridge::roofline::ChainKernel<float>, std::int64_t, std::int64_t, int,
                                                 CpuContext&);
template std::unique_ptr<Case> make_chain<double>(ridge::roofline::ChainKernel<double>, std::int64_t, std::int64_t, int,
                                                  CpuContext&);

}  // namespace ridge::bench::roofline
