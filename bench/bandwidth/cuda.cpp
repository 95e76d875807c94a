// Prepares a point of the bandwidth family on a GPU.
#include "bench/bandwidth/cuda_case.hpp"
#include "kernels/stream/stream_image.hpp"

namespace ridge::bench::bandwidth {

std::unique_ptr<Case> prepare_cuda(stream::Op op, CudaContext& context, const record::Point& point) {
  const auto& image = stream::stream_image;
  const std::int64_t count = element_count(point);
  if (element_bytes(point) == 4) return std::make_unique<CudaStreamCase<float>>(op, context, count, image);
  return std::make_unique<CudaStreamCase<double>>(op, context, count, image);
}

}  // namespace ridge::bench::bandwidth
