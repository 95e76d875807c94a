// Buffers on both sides, and the way between them.
#include "collectives/nccl/cuda_arrays.hpp"

#include <limits>
#include <stdexcept>

namespace ridge::bench::collective {

using collectives::Collective;
using collectives::Job;

nccl::Task task_of(const Job& job) {
  const auto operation = [&] {
    switch (job.collective) {
      case Collective::allreduce:
        return nccl::Operation::allreduce;
      case Collective::reduce:
        return nccl::Operation::reduce;
      case Collective::broadcast:
        return nccl::Operation::broadcast;
      case Collective::allgather:
        return nccl::Operation::allgather;
      case Collective::reducescatter:
        return nccl::Operation::reducescatter;
      case Collective::alltoall:
        return nccl::Operation::alltoall;
      case Collective::sendrecv:
        return nccl::Operation::sendrecv;
      case Collective::barrier:
        break;
    }
    throw device::Absent("NCCL has no barrier");
  };
  return {operation(), job.rule, job.count};
}

std::string lacking(const nccl::Table& table, const device::cuda::Device& device, const Job& job) {
  const bool stand_in = device.name().kind == device::Kind::ptx;
  const int major = stand_in ? std::numeric_limits<int>::max() : device.properties().capability_major;
  return nccl::lacking(table, task_of(job).operation, job.rule.type, major);
}

std::int64_t arena_bytes(const Job& job) {
  std::int64_t bytes = 0;
  for (const std::int64_t each : buffer_bytes(job)) bytes += device::borrow_cost(each);
  return bytes;
}

GpuArrays::GpuArrays(device::cuda::Stream& stream, device::Arena& arena, const Job& job, int rank) : stream_(stream) {
  work_ = std::make_unique<collectives::RankWork>(job, rank, [&](std::int64_t bytes) {
    buffers_.push_back({std::vector<std::byte>(static_cast<std::size_t>(bytes)), arena.borrow(bytes).as<std::byte>()});
    return buffers_.back().on_host.data();
  });
}

void GpuArrays::fill(bool zero) {
  work_->fill(zero);
  for (Buffer& each : buffers_) stream_.copy_to_device(each.on_gpu, each.on_host.data(), each.bytes());
  stream_.synchronize();
}

std::int64_t GpuArrays::wrong() {
  for (Buffer& each : buffers_) stream_.copy_to_host(each.on_host.data(), each.on_gpu, each.bytes());
  stream_.synchronize();
  return work_->wrong();
}

nccl::Arrays GpuArrays::arrays() const {
  const auto& mine = work_->arrays();
  return {on_gpu(mine.in != nullptr ? mine.in : mine.out), on_gpu(mine.out)};
}

std::byte* GpuArrays::on_gpu(const std::byte* on_host) const {
  for (const Buffer& each : buffers_) {
    const std::ptrdiff_t offset = on_host - each.on_host.data();
    if (offset >= 0 && offset < each.bytes()) return each.on_gpu + offset;
  }
  throw std::logic_error("an array that was never borrowed");
}

}  // namespace ridge::bench::collective
