// The family's GPU cases by the image that holds their kernels: tests give them wrong ones.
#pragma once

#include <memory>

#include "bench/harness/definition.hpp"
#include "kernels/device/cuda/module.hpp"

namespace ridge::bench::access {

std::unique_ptr<Case> prepare_strided_cuda(CudaContext& context, const record::Point& point,
                                           const device::cuda::Image& image);
std::unique_ptr<Case> prepare_indexed_cuda(CudaContext& context, const record::Point& point,
                                           const device::cuda::Image& image);
std::unique_ptr<Case> prepare_structured_cuda(CudaContext& context, const record::Point& point,
                                              const device::cuda::Image& image);
std::unique_ptr<Case> prepare_banks_cuda(CudaContext& context, const record::Point& point,
                                         const device::cuda::Image& image);
std::unique_ptr<Case> prepare_transpose_cuda(CudaContext& context, const record::Point& point,
                                             const device::cuda::Image& image);

}  // namespace ridge::bench::access
