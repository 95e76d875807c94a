// What the family's cases on a GPU share: inputs brought there piece by piece, one kind of result, and its check.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "bench/roofline/checking.hpp"
#include "bench/roofline/points.hpp"
#include "kernels/device/cuda/device.hpp"

namespace ridge::bench::roofline {

// T: what results are made of.
template <class T>
class CudaCase : public Case {
 public:
  void run(std::int64_t repetitions) override {
    for (std::int64_t i = 0; i < repetitions; ++i) launch();
  }

  record::Verification verify() override {
    fill(true);
    const std::int64_t bytes = results_ * std::int64_t{sizeof(T)};
    stream_.fill(out_, stream::poison_byte, bytes + guard_bytes);
    run(1);
    stream::Check all;
    std::vector<T> have(static_cast<std::size_t>(std::min(results_, piece<T>)));
    for (std::int64_t begin = 0; begin < results_; begin += piece<T>) {
      const std::int64_t end = std::min(results_, begin + piece<T>);
      stream_.copy_to_host(have.data(), out_ + begin, (end - begin) * std::int64_t{sizeof(T)});
      stream_.synchronize();
      all.add(check(begin, end, have.data()));
    }
    unsigned char guard[guard_bytes];
    stream_.copy_to_host(guard, out_ + results_, guard_bytes);
    stream_.synchronize();
    const auto result = verdict(all, stream::untouched(guard, guard_bytes));
    fill(false);
    return result;
  }

  device::Stream& stream() override { return stream_; }

 protected:
  explicit CudaCase(CudaContext& context)
      : device_(context.device), stream_(context.device.stream()), numbers_{context.seed, context.fill == Fill::zero} {}

  // Queues one repetition.
  virtual void launch() = 0;
  // Puts into the inputs what is timed, or what a check is made for.
  virtual void fill(bool for_check) = 0;
  // Results [begin, end), the first of them at have[0].
  virtual stream::Check check(std::int64_t begin, std::int64_t end, const T* have) = 0;

  // (count) on the device, made on the host in pieces: value(i) for element i.
  template <class V, class F>
  void upload(V* dst, std::int64_t count, F value) {
    std::vector<V> made(static_cast<std::size_t>(std::min(count, piece<V>)));
    for (std::int64_t begin = 0; begin < count; begin += piece<V>) {
      const std::int64_t end = std::min(count, begin + piece<V>);
      for (std::int64_t i = begin; i < end; ++i) made[static_cast<std::size_t>(i - begin)] = value(i);
      stream_.copy_to_device(dst + begin, made.data(), (end - begin) * std::int64_t{sizeof(V)});
      stream_.synchronize();
    }
  }
  template <class V>
  void upload_numbers(V* dst, int which, std::int64_t count, bool for_check) {
    upload(dst, count, [&](std::int64_t i) { return numbers_.at<V>(which, i, for_check); });
  }
  // The results: (count), then guard_bytes.
  void results_at(T* out, std::int64_t count) {
    out_ = out;
    results_ = count;
  }

  device::cuda::Device& device_;
  device::cuda::Stream& stream_;
  Numbers numbers_;
  T* out_ = nullptr;
  std::int64_t results_ = 0;

 private:
  template <class V>
  static constexpr std::int64_t piece = (std::int64_t{4} << 20) / std::int64_t{sizeof(V)};
};

// Blocks of `threads` threads that `items` need, one thread for each.
inline unsigned blocks_for(std::int64_t items, unsigned threads) {
  return static_cast<unsigned>(std::max<std::int64_t>(1, (items + threads - 1) / threads));
}

}  // namespace ridge::bench::roofline
