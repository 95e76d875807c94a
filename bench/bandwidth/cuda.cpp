// Prepares a point of the bandwidth family on a GPU, or on several at once.
#include "bench/bandwidth/cuda_together.hpp"
#include "kernels/stream/stream_image.hpp"

namespace ridge::bench::bandwidth {

std::unique_ptr<Case> prepare_cuda(stream::Op op, CudaContext& context, const record::Point& point) {
  const std::int64_t count = element_count(point);
  const std::int64_t bytes = element_bytes(point);
  const auto make = [op, count, bytes](CudaContext& own) -> std::unique_ptr<CheckedCase> {
    if (bytes == 4) return std::make_unique<CudaStreamCase<float>>(op, own, count, stream::stream_image);
    return std::make_unique<CudaStreamCase<double>>(op, own, count, stream::stream_image);
  };
  const std::int64_t gpus = gpu_count(point);
  if (gpus == 1) return make(context);
  const stream::Facts& facts = stream::facts(op);
  const std::int64_t arrays = facts.arrays_read + facts.arrays_written;
  return std::make_unique<TogetherCase>(context, gpus, arrays * device::borrow_cost(count * bytes + guard_bytes),
                                        arrays * count * bytes, make);
}

}  // namespace ridge::bench::bandwidth
