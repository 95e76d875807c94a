// Reads with a stated number of bytes in flight on a GPU: warps on each multiprocessor × loads of each thread.
#pragma once

#include <memory>
#include <vector>

#include "bench/hierarchy/prepare.hpp"
#include "kernels/chase/chase_kernels.hpp"
#include "kernels/device/cuda/device.hpp"

namespace ridge::bench::hierarchy {

class InFlightCase final : public Case {
 public:
  // `warps` on each multiprocessor, `loads` of each thread: 1, 2 or 4. device::Absent where the GPU cannot hold as many
  // warps at once, or where a round of all of them is more than `bytes`.
  InFlightCase(CudaContext& context, std::int64_t bytes, std::int64_t warps, std::int64_t loads, std::int64_t rounds,
               const device::cuda::Image& image);
  void run(std::int64_t repetitions) override;
  record::Verification verify() override;
  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::optional<record::Work> work() const override;
  [[nodiscard]] std::vector<Besides> besides_work() const override;

 private:
  // The sum that all blocks together should find.
  [[nodiscard]] std::uint64_t expected() const;
  [[nodiscard]] std::int64_t window() const { return std::int64_t{shape_.blocks} * shape_.threads * loads_ * 16; }

  device::cuda::Stream& stream_;
  device::cuda::Function<const void*, std::int64_t, std::int64_t, std::uint64_t*> kernel_;
  std::int64_t loads_;
  std::int64_t rounds_;
  std::uint64_t seed_;
  device::cuda::Shape shape_;
  std::int64_t windows_;                                 // of the whole grid, in the data
  std::uint64_t* data_ = nullptr;                        // (windows · window() / 8), on the device
  std::unique_ptr<device::cuda::DeviceBuffer> partial_;  // (blocks) of u64
};

}  // namespace ridge::bench::hierarchy
