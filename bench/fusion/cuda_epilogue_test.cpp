// A product with what follows it on a reference GPU, cuBLASLt played by its stand-in: every side verified, work proven,
// refusals with their reason, failing calls told.
#include <catch2/catch.hpp>

#include "bench/fusion/cuda_epilogue.hpp"
#include "bench/harness/misstated.hpp"
#include "bench/harness/proof.hpp"
#include "kernels/device/cuda/device.hpp"
#include "kernels/fused/fused_image.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

#if __has_include(<cublasLt.h>)
#include "bench/harness/mutant.hpp"
#include "kernels/ptx/cublaslt/stand_in.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bf = ridge::bench::fusion;
using bf::EpilogueShape;
using bf::EpilogueSide;
using gemm::Activation;
using ptx::testing::OneGpu;

namespace {

struct Prepared {
  Prepared(OneGpu& gpu, const EpilogueShape& shape, const ptx::CublasLt& library)
      : arena(gpu.device().make_arena((1 << 20) + (std::int64_t{40} << 20))),
        context{gpu.device(), *arena, 1, Fill::random},
        one(context, shape, library.table(), fused::fused_image) {}
  std::unique_ptr<device::Arena> arena;
  CudaContext context;
  bf::CudaEpilogue one;
};

std::string reason(OneGpu& gpu, const EpilogueShape& shape, const ptx::CublasLt& library) {
  try {
    Prepared prepared(gpu, shape, library);
    prepared.one.run(1);
  } catch (const device::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every side of a product with what follows it is right on the GPU path, and its work is proven") {
  OneGpu gpu;
  const ptx::CublasLt library(gpu.device().driver());
  for (const auto& [activation, residual] : {std::pair{Activation::none, false},
                                             {Activation::relu, false},
                                             {Activation::gelu, false},
                                             {Activation::none, true}})
    for (const EpilogueSide side : {EpilogueSide::product, EpilogueSide::unfused, EpilogueSide::fused})
      for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {19, 300, 33}, {64, 40, 70}}) {
        CAPTURE(static_cast<int>(activation), residual, static_cast<int>(side), m, n, k);
        Prepared prepared(gpu, {m, n, k, true, activation, residual, side}, library);
        const auto verified = prepared.one.verify();
        CHECK(verified.reason.empty());
        REQUIRE(verified.status == record::Check::passed);
        CHECK(verified.checked >= m * n);
        const auto counted = gpu.count([&] { prepared.one.run(1); });
        const auto work = prepared.one.work().value();
        const auto besides = prepared.one.besides_work();
        CHECK(prove(work, besides, counted).difference == std::string());
        for (const record::Work& wrong : fake::misstated(work, 4, 1))
          CHECK_FALSE(prove(wrong, besides, counted).proven);
        const int passes = 1 + (activation != Activation::none) + residual;
        CHECK(counted.launches == (side == EpilogueSide::unfused ? 1 + passes : 1));
        // A result that is added to again would show: the residual is not C.
        prepared.one.run(2);
        CHECK(prepared.one.verify().status == record::Check::passed);
      }
  CHECK(library.left().empty());
}

TEST_CASE("a residual, a row beyond what passes hold, and calls that fail are told") {
  OneGpu gpu;
  ptx::CublasLt library(gpu.device().driver());
  CHECK(reason(gpu, {8, 8, 8, true, Activation::gelu, true, EpilogueSide::fused}, library) ==
        "cuBLASLt adds a matrix before the activation, not behind it: no such epilogue");
  CHECK(reason(gpu, {8, 8, 8, true, Activation::gelu, false, EpilogueSide::library}, library) ==
        "cuBLASLt has no passes of its own: those are unfused");
  CHECK(reason(gpu, {1, 4097, 1, true, Activation::gelu, false, EpilogueSide::unfused}, library) ==
        "passes hold a row of at most 4096 entries, not 4097");
  library.fail("cublasLtMatmulDescSetAttribute", 3, CUBLAS_STATUS_INVALID_VALUE);
  const auto told = reason(gpu, {8, 16, 32, true, Activation::gelu, false, EpilogueSide::fused}, library);
  CHECK(told.find("cublasLtMatmulDescSetAttribute: CUBLAS_STATUS_INVALID_VALUE") == 0);
  CHECK(told.find("m 8, n 16, k 32") != std::string::npos);
  CHECK(told.find(", epilogue bias gelu on ptx:0") != std::string::npos);
  CHECK(library.left().empty());
}

TEST_CASE("mutants of the pass that only products have are killed on the reference machine") {
  constexpr ptx::testing::Mutation mutations[] = {
      {"smallest for largest", R"(max\.f32)", "min.f32"},
      {"a load from further on", R"((ld\.global(?:\.nc)?\.f32\s+%f\d+, \[%rd\d+)\];)", "$1+4];"},
      {"a store of nothing", R"(st\.global\.[^;]+;)", ""},
      {"a store into the next place", R"((st\.global\.f32\s+\[%rd\d+)\])", "$1+4]"},
  };
  const auto verdict = [](OneGpu& gpu, const device::cuda::Image& image) -> std::string {
    const ptx::CublasLt library(gpu.device().driver());
    for (const auto& [m, n, k] : {std::tuple{3, 33, 5}, {19, 300, 8}, {1, 2100, 4}, {1, 4096, 4}}) {
      const auto arena = gpu.device().make_arena(std::int64_t{40} << 20);
      CudaContext context{gpu.device(), *arena, 1, Fill::random};
      bf::CudaEpilogue one(context, {m, n, k, true, Activation::relu, false, EpilogueSide::unfused}, library.table(),
                           image);
      if (auto how = bench::testing::given_away_by(one, gpu); !how.empty()) return how;
    }
    return {};
  };
  const std::vector<ptx::testing::Subject> subjects{
      {fused::apply_relu.kernel.name, device::cuda::ptx_of(fused::fused_image.begin, 80),
       [&](const std::string& ptx) { return ptx::testing::judged(ptx, verdict); }}};
  // A product of no rows.
  const ptx::testing::Same same[] = {{fused::apply_relu.kernel.name, "bound one too high", 1}};
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations), 2), same,
                               {"wrong answer", "fault"});
}

#endif
