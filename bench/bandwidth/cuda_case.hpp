// A case of the bandwidth family on a GPU: arrays in device memory, the kernel or the driver's copy run and verified.
#pragma once

#include <functional>
#include <vector>

#include "bench/bandwidth/prepare.hpp"
#include "bench/harness/definition.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/stream/check.hpp"
#include "kernels/stream/data.hpp"
#include "kernels/stream/stream.hpp"
#include "kernels/stream/stream_kernels.hpp"

namespace ridge::bench::bandwidth {

// A case whose answer can be checked however its repetition is run: alone, or while other GPUs work too.
class CheckedCase : public Case {
 public:
  record::Verification verify() override {
    return verify_by([this] { run(1); });
  }
  virtual record::Verification verify_by(const std::function<void()>& once) = 0;
};

// T is float or double.
template <class T>
class CudaStreamCase : public CheckedCase {
 public:
  // `image` holds the kernels; tests put wrong ones in their place.
  CudaStreamCase(stream::Op op, CudaContext& context, std::int64_t count, const device::cuda::Image& image);
  void run(std::int64_t repetitions) override;
  record::Verification verify_by(const std::function<void()>& once) override;
  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::vector<Besides> besides_work() const override;

 private:
  void choose(const device::cuda::Image& image);
  template <class... Args>
  unsigned shape(const device::cuda::Function<Args...>& function);
  void fill(const stream::Data& data);
  void poison();
  void upload(T* dst, int which, const stream::Data& data);
  record::Verification verify_target();
  record::Verification verify_read();
  record::Verification verify_dot();
  template <class P>
  std::vector<P> partials();
  // What dot should find in that data.
  stream::ReferenceReduction<T> reference(const stream::Data& data) const {
    return stream::reference_reduction<T>(data, 0, count_);
  }

  const stream::Facts& facts_;
  device::cuda::Device& device_;
  device::cuda::Stream& stream_;
  std::int64_t count_;
  stream::Data random_, whole_, timed_;
  T* a_ = nullptr;                                       // (count), then guard_bytes; on the device, as all of these
  const T* b_ = nullptr;                                 // (count)
  const T* c_ = nullptr;                                 // (count)
  std::unique_ptr<device::cuda::DeviceBuffer> partial_;  // (blocks) of 8 bytes
  unsigned blocks_ = 1;
  std::function<void()> launch_;  // queues one repetition
  std::function<void()> once_;    // while it is verified: runs one repetition
  std::vector<T> chunk_;          // on the host, for filling and checking piece by piece
};

// Operations of the dot kernel besides two per element: joining each thread's chains and the threads of each block.
std::int64_t dot_joining(std::int64_t count, int element_bytes, unsigned blocks, unsigned threads);

}  // namespace ridge::bench::bandwidth
