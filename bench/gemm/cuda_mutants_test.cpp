// Wrong versions of the GPU's products, made by changing one place in their PTX: the reference machine's checks, the
// verification or the proof of work must kill them all, but for those that do the same.
#include <catch2/catch.hpp>

#include "bench/gemm/cuda_case.hpp"
#include "bench/harness/proof.hpp"
#include "kernels/gemm/pipelined_image.hpp"
#include "kernels/gemm/scalar_image.hpp"
#include "kernels/gemm/tensor_image.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

using namespace ridge;
using namespace ridge::bench;
using device::cuda::Image;
using ptx::testing::Mutation;
using ptx::testing::OneGpu;
using ptx::testing::Same;
using ptx::testing::Subject;
namespace bg = ridge::bench::gemm;
namespace rg = ridge::gemm;

namespace {

// Of each mistake, places of one kernel that are tried.
constexpr std::size_t most_places = 2;

// Besides the common ones.
constexpr Mutation mutations[] = {
    {"a multiply-add left out", R"(fma\.rn\.f32 (\s*%\w+), (%\w+), ([^,;]+), ([^;]+);)", "mov.f32 $1, $4;"},
    {"a matrix product left out", R"(mma\.sync[^;]+;)", ""},
    {"registers of A exchanged", R"((mma\.sync[^{]+\{[^}]+\}, \{)(%\w+),(%\w+),)", "$1$3,$2,"},
    {"registers of B exchanged", R"((mma\.sync[^{]+\{[^}]+\}, \{[^}]+\}, \{)(%\w+),(%\w+)\})", "$1$3,$2}"},
    {"another type", R"(f32\.bf16\.bf16\.f32)", "f32.f16.f16.f32"},
    {"pieces of B not transposed", R"(x4\.trans)", "x4"},
    {"a barrier left out", R"(bar\.sync[^;]+;)", ""},
    {"not waited for a copy", R"(cp\.async\.wait_group 1;)", "cp.async.wait_group 2;"},
    {"waited for no copy", R"(cp\.async\.wait_group 1;)", ""},
    {"a copy left out", R"(cp\.async\.ca[^;]+;)", ""},
    {"a copy from beyond the edge", R"((cp\.async\.ca[^,;]+, [^,;]+, (4|16)), [^;]+;)", "$1, $2;"},
    {"subtracted index", R"(add\.s(32|64)\s+(%\w+), (%\w+), (%\w+);)", "sub.s$1 $2, $3, $4;"},
    {"a store of nothing", R"(st\.global\.[^;]+;)", ""},
    {"a store to shared memory left out", R"(st\.shared\.[^;]+;)", ""},
};

// Mutants that survive, since they do the same, and why.
const Same same[] = {
    // Whether the last steps are done by the loop of four or by the one behind it.
    {"gemm_coalesced", "loop bound one too high", 1},
};

const Image& image_of(const rg::GpuStep& step) {
  if (step.bf16) return rg::tensor_image;
  return step.name == "pipelined" || step.name == "warps" ? rg::pipelined_image : rg::scalar_image;
}

bg::Question question_of(const rg::GpuStep& step, std::int64_t m, std::int64_t n, std::int64_t k) {
  record::Point p;
  p.set("rung", std::string(step.name));
  p.set("m", m), p.set("n", n), p.set("k", k);
  return bg::question_of(p);
}

// How it was killed; empty: it was not.
std::string verdict(const rg::GpuStep& step, OneGpu& gpu, const Image& image) {
  struct Shape {
    std::int64_t m, n, k;
  };
  // Rows that begin at multiples of 16 bytes and such that do not, several tiles each way, several stages; edges in
  // each of the pieces that a thread copies of a tile; k of none, of one, of whole stages.
  for (const Shape& shape : std::vector<Shape>{{5, 40, 64},
                                               {33, 70, 37},
                                               {70, 40, 41},
                                               {101, 103, 23},
                                               {20, 56, 40},
                                               {130, 133, 27},
                                               {100, 104, 72},
                                               {1, 1, 1},
                                               {3, 5, 0}}) {
    const auto arena = gpu.device().make_arena(2 << 20);
    CudaContext context{gpu.device(), *arena, 1, Fill::random};
    const auto prepared = bg::make_cuda_case(question_of(step, shape.m, shape.n, shape.k), context,
                                             [&](const auto& question, const auto& pointers, auto& on) {
                                               return bg::make_cuda_step(question, pointers, on, &image);
                                             });
    if (prepared->verify().status != record::Check::passed) return "wrong answer";
    const auto counted = gpu.count([&] { prepared->run(1); });
    if (!prove(*prepared->work(), prepared->besides_work(), counted).proven) return "other work";
  }
  return {};
}

}  // namespace

TEST_CASE("mutants of the GPU's products are killed on the reference machine") {
  std::vector<Subject> subjects;
  for (const rg::GpuStep& step : rg::gpu_steps) {
    if (step.name == "naive" || step.name == "warps") continue;  // as coalesced and pipelined, with rows for columns
    subjects.push_back({step.kernel.name,
                        device::cuda::ptx_of(image_of(step).begin, 80),
                        [&step](const std::string& ptx) {
                          return ptx::testing::judged(
                              ptx, [&](OneGpu& gpu, const Image& image) { return verdict(step, gpu, image); });
                        },
                        {step.kernel.name}});
  }
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations), most_places),
                               same, {"wrong answer", "fault"});
}
