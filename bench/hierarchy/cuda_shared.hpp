// Shared memory on a GPU: one thread's chase through it, and all threads' reads.
#pragma once

#include <memory>
#include <vector>

#include "bench/hierarchy/prepare.hpp"
#include "kernels/chase/chase_kernels.hpp"
#include "kernels/device/cuda/device.hpp"

namespace ridge::bench::hierarchy {

class SharedChaseCase final : public Case {
 public:
  // `hops` at least `words`, so that every word of the copy in shared memory is visited.
  SharedChaseCase(CudaContext& context, std::int64_t words, std::int64_t hops, const device::cuda::Image& image);
  void run(std::int64_t repetitions) override;
  record::Verification verify() override;
  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::vector<Besides> besides_work() const override;

 private:
  device::cuda::Stream& stream_;
  device::cuda::Function<const std::uint32_t*, std::int64_t, std::int64_t, std::uint32_t*> kernel_;
  std::int64_t words_;
  std::int64_t hops_;
  std::uint64_t seed_;
  std::uint32_t* next_ = nullptr;  // (words), on the device
  device::cuda::DeviceBuffer at_;  // (1) of u32
};

class SharedReadCase final : public Case {
 public:
  SharedReadCase(CudaContext& context, std::int64_t words, std::int64_t passes, const device::cuda::Image& image);
  void run(std::int64_t repetitions) override;
  record::Verification verify() override;
  device::Stream& stream() override { return stream_; }
  // Of as many blocks as the GPU holds at once.
  [[nodiscard]] std::optional<record::Work> work() const override;
  [[nodiscard]] std::vector<Besides> besides_work() const override;

 private:
  device::cuda::Stream& stream_;
  device::cuda::Function<std::int64_t, std::int64_t, std::uint32_t*> kernel_;
  std::int64_t words_;
  std::int64_t passes_;
  std::int64_t multiprocessors_;
  unsigned blocks_;
  device::cuda::DeviceBuffer partial_;  // (blocks) of u32
};

}  // namespace ridge::bench::hierarchy
