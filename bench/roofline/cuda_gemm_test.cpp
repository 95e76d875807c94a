// The dense product under the roof of a GPU: right at sizes around a tile, its work proven, wrong kernels refused.
#include <catch2/catch.hpp>

#include <algorithm>

#include "bench/harness/proof.hpp"
#include "bench/roofline/cuda_cases.hpp"
#include "bench/roofline/definition.hpp"
#include "kernels/gemm/pipelined_image.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace br = ridge::bench::roofline;

namespace {

record::Point point_of(std::int64_t n, const std::string& dtype = "f32") {
  record::Point p;
  p.set("size", n * n * 4);
  p.set("dtype", dtype);
  return p;
}

template <class Use>
void with_case(std::int64_t n, const device::cuda::Image& image, const Use& use) {
  ptx::testing::OneGpu gpu;
  std::int64_t needed = 0;
  for (const std::int64_t bytes : br::buffers(br::Kind::gemm, point_of(n))) needed += device::borrow_cost(bytes);
  const auto arena = gpu.device().make_arena(needed);
  CudaContext context{gpu.device(), *arena, 1, Fill::random};
  use(gpu, *br::make_cuda_gemm(context, n, image));
}

}  // namespace

TEST_CASE("the dense product on a GPU is right and its work proven, at sizes around a tile") {
  for (const std::int64_t n : {1, 31, 128, 130}) {
    CAPTURE(n);
    with_case(n, gemm::pipelined_image, [&](auto& gpu, Case& product) {
      const auto verified = product.verify();
      CHECK(verified.reason.empty());
      CHECK(verified.status == record::Check::passed);
      CHECK(verified.checked == n * n);
      const auto counted = gpu.count([&] { product.run(1); });
      auto work = br::work(br::Kind::gemm, point_of(n));
      CHECK(prove(work, product.besides_work(), counted).difference.empty());
      *work.operations += 2;
      CHECK_FALSE(prove(work, product.besides_work(), counted).proven);
    });
  }
}

TEST_CASE("a wrong product on a GPU is refused") {
  const auto right = ptx::testing::find_kernel(device::cuda::ptx_of(gemm::pipelined_image.begin, 80), "gemm_warps");
  const auto wrong = ptx::testing::mutants(
      right, {"a multiply-add left out", R"(fma\.rn\.f32 (\s*%\w+), (%\w+), ([^,;]+), ([^;]+);)", "mov.f32 $1, $4;"});
  REQUIRE(wrong.size() > 2);
  const auto verdict = [](ptx::testing::OneGpu& gpu, const device::cuda::Image& image) {
    const auto arena = gpu.device().make_arena(1 << 20);
    CudaContext context{gpu.device(), *arena, 1, Fill::random};
    return br::make_cuda_gemm(context, 130, image)->verify().reason;
  };
  CHECK(ptx::testing::judged(wrong.front().ptx, verdict).find("results wrong") != std::string::npos);
  CHECK(ptx::testing::judged(right.before + right.text + right.after, verdict).empty());
}

TEST_CASE("on a GPU the dense product is of f32") {
  const auto all = br::definitions();
  const auto found = std::find_if(all.begin(), all.end(), [](const auto& d) { return d.name == "roofline.gemm"; });
  REQUIRE(found != all.end());
  CHECK(found->prepare_cuda);
  CHECK(found->unsupported(point_of(100, "f64")) == "on a GPU our own product is of f32 (--dtype f32)");
  CHECK_FALSE(found->unsupported(point_of(100)));
}
