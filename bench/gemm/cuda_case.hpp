// A product on a GPU made ready: matrices there and on the host, who multiplies them, and the checks of what came back.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/gemm/checked_case.hpp"
#include "bench/gemm/points.hpp"
#include "kernels/device/cuda/device.hpp"

namespace ridge::cublaslt {
struct Table;
}

namespace ridge::bench::gemm {

class GpuMultiplier {
 public:
  virtual ~GpuMultiplier() = default;
  // Queues one product, the whole batch.
  virtual void multiply(device::cuda::Stream& stream) = 0;
  // As multiplied_by() takes it.
  [[nodiscard]] virtual std::map<std::string, std::string> implementation() const = 0;
  // What it does besides reading each matrix and multiplying each pair once.
  [[nodiscard]] virtual std::vector<Besides> besides() const { return {}; }

 protected:
  GpuMultiplier() = default;
  GpuMultiplier(const GpuMultiplier&) = default;
  GpuMultiplier& operator=(const GpuMultiplier&) = default;
};

// The host's matrices are in GPU memory when it is called. device::Absent where there is no such product.
using MakeGpuMultiplier = std::function<std::unique_ptr<GpuMultiplier>(
    const Question& question, const ridge::gemm::Pointers& pointers, CudaContext& context)>;

// `host_threads` make the data and check it; 0: as many as there are and that it is worth. What comes of it is the same
// bit for bit.
std::unique_ptr<Case> make_cuda_case(const Question& question, CudaContext& context, const MakeGpuMultiplier& make,
                                     std::int64_t compare_at_most = most_compared, int host_threads = 0);

// A step of our own. `image` replaces the right kernels by wrong ones in tests.
std::unique_ptr<GpuMultiplier> make_cuda_step(const Question& question, const ridge::gemm::Pointers& pointers,
                                              CudaContext& context, const device::cuda::Image* image = nullptr);

// cuBLASLt, by `table`; without one it is the machine's on a GPU, and the stand-in on a reference GPU. device::Absent.
std::unique_ptr<GpuMultiplier> make_cuda_library(const Question& question, const ridge::gemm::Pointers& pointers,
                                                 CudaContext& context,
                                                 std::shared_ptr<const cublaslt::Table> table = nullptr);

// The machine's cuBLASLt, opened once, or on a reference GPU the stand-in. device::Absent.
std::shared_ptr<const cublaslt::Table> cuda_library_table(const CudaContext& context);

std::unique_ptr<Case> prepare_cuda(CudaContext& context, const record::Point& point);

}  // namespace ridge::bench::gemm
