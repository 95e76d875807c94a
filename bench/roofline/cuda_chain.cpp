// The ladder and the peaks of ordinary arithmetic on a GPU.
#include <fmt/format.h>

#include "bench/roofline/cuda_case.hpp"
#include "bench/roofline/cuda_cases.hpp"
#include "kernels/ptx/arith/half.hpp"
#include "kernels/roofline/chain.hpp"
#include "kernels/roofline/chain_kernels.hpp"

namespace ridge::bench::roofline {
namespace {

namespace rr = ridge::roofline;
using device::cuda::Image;

const rr::CudaChain<float>& kernel_for(float) {
  return rr::cuda_chain_f32;
}
const rr::CudaChain<double>& kernel_for(double) {
  return rr::cuda_chain_f64;
}

// Launches, memory and shape, for chains of every type.
template <class T>
class ChainCase : public CudaCase<T> {
 public:
  // `count` elements; where that is 0, `waves` times as many as all threads that the GPU holds at once take in one go,
  // and then a statement of the work that follows.
  ChainCase(CudaContext& context, const rr::CudaChain<T>& kernel, std::int32_t steps, std::int64_t count, int waves,
            const Image& image)
      : CudaCase<T>(context), kernel_(context.device.function(image, kernel)), steps_(steps), chosen_(count == 0) {
    constexpr std::int64_t each = 16 / std::int64_t{sizeof(T)};
    const std::int64_t pieces = count / each + 1;
    const std::int64_t most = chosen_ ? std::int64_t{1} << 30 : blocks_for(pieces, rr::chain_threads);
    shape_ = {context.device.grid(kernel_, rr::chain_threads, most), rr::chain_threads, 0};
    count_ = chosen_ ? std::int64_t{shape_.blocks} * rr::chain_threads * each * waves : count;
    const std::int64_t bytes = count_ * std::int64_t{sizeof(T)};
    if (chosen_) {
      out_buffer_ = std::make_unique<device::cuda::DeviceBuffer>(context.device.context(), bytes + guard_bytes);
      in_buffer_ = std::make_unique<device::cuda::DeviceBuffer>(context.device.context(), bytes);
    }
    this->results_at(
        chosen_ ? out_buffer_->template as<T>() : context.arena.borrow(bytes + guard_bytes).template as<T>(), count_);
    in_ = chosen_ ? in_buffer_->template as<T>() : context.arena.borrow(bytes).template as<T>();
  }

 protected:
  void launch() override { kernel_(this->stream_, shape_, in_, this->out_, count_, steps_); }
  // The statement of `count_` elements of `operations` each.
  [[nodiscard]] std::optional<record::Work> stated(std::int64_t operations, const std::string& counting) const {
    if (!chosen_) return std::nullopt;
    record::Work work;
    work.operations = count_ * operations;
    work.items = count_;
    work.counting = counting;
    return work;
  }

  device::cuda::Function<const T*, T*, std::int64_t, std::int32_t> kernel_;
  std::int32_t steps_;
  bool chosen_;  // the number of elements, by what the GPU holds
  device::cuda::Shape shape_;
  std::int64_t count_ = 0;
  std::unique_ptr<device::cuda::DeviceBuffer> out_buffer_, in_buffer_;
  T* in_ = nullptr;  // (count)
};

template <class T>
class PlainChain final : public ChainCase<T> {
 public:
  PlainChain(CudaContext& context, std::int64_t operations, std::int64_t count, int waves, const Image& image)
      : ChainCase<T>(context, kernel_for(T{}), static_cast<std::int32_t>(operations / 2), count, waves, image),
        operations_(operations) {
    this->fill(false);
  }
  [[nodiscard]] std::optional<record::Work> work() const override {
    return this->stated(operations_,
                        fmt::format("two operations for each fused multiply-add, {} on each of {} elements",
                                    operations_ / 2, this->count_));
  }

 private:
  void fill(bool for_check) override { this->upload_numbers(this->in_, 0, this->count_, for_check); }
  stream::Check check(std::int64_t begin, std::int64_t end, const T* have) override {
    const rr::ChainOracle<T> oracle(operations_);
    stream::Check result;
    for (std::int64_t i = begin; i < end; ++i) {
      const T x = this->numbers_.template at<T>(0, i, true);
      compare(result, i, have[i - begin], oracle.expected(x), oracle.bound(x));
    }
    return result;
  }

  std::int64_t operations_;
};

// A start in ±1.9: the map stays there.
template <class H>
H start_of(std::uint64_t random_bits) {
  const float unit = static_cast<float>(random_bits >> 40) * 0x1p-24F;
  return ptx::from_float<H>(-1.875F + 3.75F * unit);
}

// Pairs of 16-bit numbers, which are whole words to memory. Elements repeat after so many, that what becomes of each is
// computed once, step by step with the rounding of the instruction; a prime, so that no stride of threads is one of its
// multiples.
template <class H>
class PackedChain final : public ChainCase<std::uint32_t> {
 public:
  using ChainCase<std::uint32_t>::ChainCase;

  void start() { fill(false); }
  [[nodiscard]] std::optional<record::Work> work() const override {
    return stated(
        4 * std::int64_t{steps_},
        fmt::format("four operations for each fused multiply-add of a pair, {} on each of {} pairs", steps_, count_));
  }

 private:
  static constexpr std::int64_t period = 4093;

  [[nodiscard]] ptx::pair<H> pair(std::int64_t i) const {
    const auto at = static_cast<std::uint64_t>(2 * (i % period));
    return {start_of<H>(random::bits(numbers_.seed, at)), start_of<H>(random::bits(numbers_.seed, at + 1))};
  }
  static std::uint32_t word(ptx::pair<H> p) { return static_cast<std::uint32_t>(p.hi.v) << 16 | p.lo.v; }

  void fill(bool for_check) override {
    const bool zero = numbers_.zero && !for_check;
    upload(in_, count_, [&](std::int64_t i) { return zero ? 0 : word(pair(i)); });
  }
  stream::Check check(std::int64_t begin, std::int64_t end, const std::uint32_t* have) override {
    if (wanted_.empty()) {
      const H c = ptx::from_float<H>(-1.890625F);
      const auto chained = [&](H x) {
        for (std::int32_t s = 0; s < steps_; ++s) x = ptx::half_fma(x, x, c);
        return x;
      };
      for (std::int64_t i = 0; i < std::min(period, count_); ++i)
        wanted_.push_back(word({chained(pair(i).lo), chained(pair(i).hi)}));
    }
    stream::Check result;
    for (std::int64_t i = begin; i < end; ++i) {
      ++result.checked;
      if (have[i - begin] != wanted_[static_cast<std::size_t>(i % period)] && result.wrong++ == 0)
        result.first_wrong = i;
    }
    return result;
  }

  std::vector<std::uint32_t> wanted_;  // of the first `period` pairs
};

template <class H>
std::unique_ptr<Case> packed(CudaContext& context, const rr::CudaChain<std::uint32_t>& kernel, std::int64_t steps,
                             int waves, std::int64_t count, const Image& image) {
  auto made = std::make_unique<PackedChain<H>>(context, kernel, static_cast<std::int32_t>(steps), count, waves, image);
  made->start();
  return made;
}

}  // namespace

template <class T>
std::unique_ptr<Case> make_cuda_ladder(CudaContext& context, std::int64_t operations, std::int64_t count,
                                       const Image& image) {
  return std::make_unique<PlainChain<T>>(context, operations, count, 1, image);
}
template <class T>
std::unique_ptr<Case> make_cuda_peak(CudaContext& context, std::int64_t operations, int waves, const Image& image) {
  return std::make_unique<PlainChain<T>>(context, operations, 0, waves, image);
}
std::unique_ptr<Case> make_cuda_packed(CudaContext& context, const std::string& dtype, std::int64_t steps, int waves,
                                       std::int64_t count, const Image& image) {
  if (dtype == "f16") return packed<ptx::f16>(context, rr::cuda_chain_f16x2, steps, waves, count, image);
  return packed<ptx::bf16>(context, rr::cuda_chain_bf16x2, steps, waves, count, image);
}

template std::unique_ptr<Case> make_cuda_ladder<float>(CudaContext&, std::int64_t, std::int64_t, const Image&);
template std::unique_ptr<Case> make_cuda_ladder<double>(CudaContext&, std::int64_t, std::int64_t, const Image&);
template std::unique_ptr<Case> make_cuda_peak<float>(CudaContext&, std::int64_t, int, const Image&);
template std::unique_ptr<Case> make_cuda_peak<double>(CudaContext&, std::int64_t, int, const Image&);

}  // namespace ridge::bench::roofline
