// The atomic kernels as cases: as many blocks as fit on the GPU at once.
#pragma once

#include <vector>

#include "bench/atomics/points.hpp"
#include "kernels/device/cuda/device.hpp"

namespace ridge::bench::atomics {

// What both have in common: threads, what each found, and the check of counters and of what was found on them.
class CudaCase : public Case {
 public:
  device::Stream& stream() override { return stream_; }
  record::Verification verify() override;
  [[nodiscard]] std::optional<record::Work> work() const override;

 protected:
  CudaCase(CudaContext& context, unsigned blocks, ridge::atomics::Layout layout, int times, std::int64_t words);

  device::cuda::Stream& stream_;
  device::cuda::Shape shape_;
  std::int64_t threads_;
  ridge::atomics::Layout layout_;
  int times_;
  std::int64_t words_;                   // that counters lie in
  device::cuda::DeviceBuffer counters_;  // (words_) of u32, then guard_bytes
  device::cuda::DeviceBuffer found_;     // (threads_) of u64, then guard_bytes

 private:
  // What word `word` of the counters must hold after one repetition.
  [[nodiscard]] virtual std::uint32_t expected(std::int64_t word) const = 0;
};

// On device memory. `image` holds the kernels, so that tests can hand in wrong ones.
class AddCase final : public CudaCase {
 public:
  AddCase(CudaContext& context, ridge::atomics::Counters counters, int times, const device::cuda::Image& image);
  void run(std::int64_t repetitions) override;
  [[nodiscard]] std::vector<Besides> besides_work() const override;

 private:
  using Function = device::cuda::Function<std::uint32_t*, unsigned, unsigned, int, std::uint64_t*>;
  AddCase(CudaContext& context, ridge::atomics::Counters counters, int times, const Function& kernel, unsigned blocks);
  [[nodiscard]] std::uint32_t expected(std::int64_t word) const override;

  Function kernel_;
};

// On shared memory, where each block has counters of its own.
class SharedCase final : public CudaCase {
 public:
  SharedCase(CudaContext& context, ridge::atomics::Counters counters, int times, const device::cuda::Image& image);
  void run(std::int64_t repetitions) override;
  [[nodiscard]] std::vector<Besides> besides_work() const override;

 private:
  using Function = device::cuda::Function<unsigned, int, std::uint64_t*, std::uint32_t*>;
  SharedCase(CudaContext& context, ridge::atomics::Counters counters, int times, const Function& kernel,
             unsigned blocks);
  [[nodiscard]] std::uint32_t expected(std::int64_t word) const override;

  Function kernel_;
};

}  // namespace ridge::bench::atomics
