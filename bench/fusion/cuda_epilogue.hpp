// A product with what follows it on a GPU as a case: cuBLASLt's epilogue, or its product with a launch for each pass
// behind it.
#pragma once

#include <memory>
#include <vector>

#include "bench/fusion/cuda_case.hpp"
#include "bench/fusion/epilogue.hpp"

namespace ridge::cublaslt {
class Gemm;
struct Table;
}  // namespace ridge::cublaslt

namespace ridge::bench::fusion {

class CudaEpilogue final : public Case {
 public:
  // `table` is the library: null is the machine's, or on a reference GPU its stand-in. `image` holds the passes.
  // device::Absent where the library has no such epilogue, or passes no such row.
  CudaEpilogue(CudaContext& context, const EpilogueShape& shape, std::shared_ptr<const cublaslt::Table> table,
               const device::cuda::Image& image);
  ~CudaEpilogue() override;

  void run(std::int64_t repetitions) override;
  record::Verification verify() override;
  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::optional<record::Work> work() const override;
  [[nodiscard]] std::vector<Besides> besides_work() const override;

 private:
  void fill(EpilogueInputs inputs, bool zero);

  EpilogueShape shape_;
  device::cuda::Stream& stream_;
  std::uint64_t seed_;
  bool zero_;
  ridge::fused::Operands o_;  // x is C, then guard_bytes; on the device, as all of these
  float* a_ = nullptr;
  float* b_ = nullptr;
  float* bias_ = nullptr;
  float* residual_ = nullptr;  // null: there is none
  std::vector<StepLaunch> passes_;
  std::unique_ptr<cublaslt::Gemm> gemm_;
};

}  // namespace ridge::bench::fusion
