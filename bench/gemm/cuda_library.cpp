// cuBLASLt as what multiplies in a case: opened once for the process on a GPU, played by its stand-in on a reference
// GPU.
#include "bench/gemm/cuda_case.hpp"

#if __has_include(<cublasLt.h>)
#include <cstdlib>

#include "kernels/cublaslt/product.hpp"
#include "kernels/cublaslt/table.hpp"
#include "kernels/device/library_search.hpp"
#include "kernels/ptx/cublaslt/stand_in.hpp"

namespace ridge::bench::gemm {
namespace {

namespace lt = ridge::cublaslt;

// What it reads besides the matrices: their scales.
class ByCublasLt final : public GpuMultiplier {
 public:
  ByCublasLt(std::shared_ptr<const lt::Table> table, const Question& question, const ridge::gemm::Pointers& pointers,
             CudaContext& context)
      : scale_bytes_(lt::scale_bytes(question.product())),
        gemm_(std::move(table), context.device.stream(),
              context.device.properties().capability_major * 10 + context.device.properties().capability_minor,
              question.product(), borrowed(pointers, context)) {}

  void multiply(device::cuda::Stream& stream) override { gemm_.multiply(stream); }
  [[nodiscard]] std::map<std::string, std::string> implementation() const override { return gemm_.implementation(); }
  [[nodiscard]] std::vector<Besides> besides() const override {
    if (scale_bytes_ == 0) return {};
    return {{"the scales of A and B", scale_bytes_, 0, 0}};
  }

 private:
  [[nodiscard]] lt::Memory borrowed(const ridge::gemm::Pointers& pointers, CudaContext& context) const {
    void* const workspace = context.arena.borrow(lt::workspace_bytes).data;
    return {pointers, workspace, scale_bytes_ == 0 ? nullptr : context.arena.borrow(scale_bytes_).data};
  }

  std::int64_t scale_bytes_;
  lt::Gemm gemm_;
};

std::shared_ptr<const lt::Table> opened() {
  static const auto table = [] {
    const device::Variables environment = [](const char* name) -> const char* {
      return std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here writes the environment
    };
    return lt::load(device::searching_opener(device::library_folders(environment)));
  }();
  return table;
}

}  // namespace

std::unique_ptr<GpuMultiplier> make_cuda_library(const Question& question, const ridge::gemm::Pointers& pointers,
                                                 CudaContext& context, std::shared_ptr<const lt::Table> table) {
  return std::make_unique<ByCublasLt>(table ? std::move(table) : cuda_library_table(context), question, pointers,
                                      context);
}

std::shared_ptr<const lt::Table> cuda_library_table(const CudaContext& context) {
  return context.device.driver().modelled ? ptx::CublasLt(context.device.driver()).table() : opened();
}

}  // namespace ridge::bench::gemm

#else

namespace ridge::bench::gemm {
std::unique_ptr<GpuMultiplier> make_cuda_library(const Question&, const ridge::gemm::Pointers&, CudaContext&,
                                                 std::shared_ptr<const cublaslt::Table>) {
  throw device::Absent("this build has no cuBLASLt: cublasLt.h was missing");
}
}  // namespace ridge::bench::gemm

#endif
