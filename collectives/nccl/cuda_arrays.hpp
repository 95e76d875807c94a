// One rank's arrays: on the host, where they are filled and compared, and on its GPU.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "collectives/operations/rank_work.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/device/cuda/stream.hpp"
#include "kernels/nccl/world.hpp"

namespace ridge::bench::collective {

// Why NCCL, or that GPU, cannot do it; empty: they can. The stand-in joins whatever the reference GPU is.
std::string lacking(const nccl::Table& table, const device::cuda::Device& device, const collectives::Job& job);

// What NCCL calls the job. device::Absent for a barrier, which it has not.
nccl::Task task_of(const collectives::Job& job);

class GpuArrays {
 public:
  // Borrows from `arena`; copies are queued on `stream`. Both outlive it.
  GpuArrays(device::cuda::Stream& stream, device::Arena& arena, const collectives::Job& job, int rank);
  GpuArrays(const GpuArrays&) = delete;
  GpuArrays& operator=(const GpuArrays&) = delete;

  void fill(bool zero);
  // Elements that are not as they must be, on the GPU.
  std::int64_t wrong();
  [[nodiscard]] std::int64_t checked() const { return work_->checked(); }
  // On the GPU. A rank that brings nothing, as all but the root of a broadcast, reads from where it writes.
  [[nodiscard]] nccl::Arrays arrays() const;

 private:
  struct Buffer {
    std::vector<std::byte> on_host;
    std::byte* on_gpu = nullptr;
    [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(on_host.size()); }
  };
  [[nodiscard]] std::byte* on_gpu(const std::byte* on_host) const;

  device::cuda::Stream& stream_;
  std::deque<Buffer> buffers_;
  std::unique_ptr<collectives::RankWork> work_;
};

// Bytes of an arena for one rank's arrays.
std::int64_t arena_bytes(const collectives::Job& job);

}  // namespace ridge::bench::collective
