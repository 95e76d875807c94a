// The chase on a GPU: one thread of one block follows lines in device memory.
#pragma once

#include <memory>
#include <vector>

#include "bench/hierarchy/prepare.hpp"
#include "kernels/chase/chase_kernels.hpp"
#include "kernels/device/cuda/device.hpp"

namespace ridge::bench::hierarchy {

class CudaChaseCase final : public Case {
 public:
  // `image` holds the kernel; tests put wrong ones in its place.
  CudaChaseCase(CudaContext& context, std::int64_t lines, std::int64_t hops, const device::cuda::Image& image);
  void run(std::int64_t repetitions) override;
  // That the links in device memory are one cycle through all lines, then that a repetition ends where its hops lead.
  record::Verification verify() override;
  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::vector<Besides> besides_work() const override;
  // For tests, which damage them: the address of line i, on the device.
  [[nodiscard]] std::uint64_t address(std::int64_t line) const;

 private:
  void upload();
  std::string broken_cycle();

  device::cuda::Stream& stream_;
  device::cuda::Function<const std::uint64_t*, std::int64_t, std::int64_t, std::uint64_t*> kernel_;
  std::int64_t count_;
  std::int64_t hops_;
  std::int64_t warmed_;
  std::uint64_t seed_;
  std::uint64_t* lines_ = nullptr;  // (count) lines, on the device
  device::cuda::DeviceBuffer at_;   // (1) of u64
};

}  // namespace ridge::bench::hierarchy
