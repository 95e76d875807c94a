// Wrong versions of the roofline's GPU kernels, made by changing one place in their PTX: the reference machine's
// checks, the verification or the proof of work must kill them all, but for those that do the same.
#include <catch2/catch.hpp>

#include <map>

#include "bench/harness/mutant.hpp"
#include "bench/roofline/cuda_kernels_list.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"
#include "kernels/roofline/chain_image.hpp"
#include "kernels/roofline/grid_image.hpp"
#include "kernels/roofline/matrix_image.hpp"
#include "kernels/roofline/rows_image.hpp"

using namespace ridge;
using namespace ridge::bench;
using device::cuda::Image;
using ptx::testing::Mutation;
using ptx::testing::Same;
using ptx::testing::Subject;
using ridge::bench::roofline::testing::Tried;
namespace rt = ridge::bench::roofline::testing;
namespace rr = ridge::roofline;

namespace {

// Of each mistake, places of one kernel that are tried.
constexpr std::size_t most_places = 2;

// Besides the common ones.
constexpr Mutation mutations[] = {
    {"a multiply-add left out", R"(fma\.rn\.f(32|64) (\s*%\w+), (%\w+), ([^,;]+), ([^;]+);)", "mov.f$1 $2, $3;"},
    {"a multiply-add twice", R"(fma\.rn\.f(32|64) (\s*%\w+), (%\w+), ([^,;]+), ([^;]+);)",
     "fma.rn.f$1 $2, $3, $4, $5; fma.rn.f$1 $2, $2, $4, $5;"},
    {"subtracted product", R"(fma\.rn\.f(32|64) (\s*%\w+), (%\w+), ([^,;]+), (%\w+);)",
     "mul.rn.f$1 $2, $3, $4; sub.rn.f$1 $2, $5, $2;"},
    {"a packed multiply-add left out", R"(fma\.rn\.b?f16x2 [^;]+;)", ""},
    {"a packed multiply-add of the other type", R"(fma\.rn\.f16x2)", "fma.rn.bf16x2"},
    {"a packed multiply-add of the other type, too", R"(fma\.rn\.bf16x2)", "fma.rn.f16x2"},
    {"a product left out", R"(mul(?:\.rn)?\.f(32|64) (\s*%\w+), (%\w+), ([^;]+);)", "mov.f$1 $2, $3;"},
    {"subtracted", R"(add(?:\.rn)?\.f(32|64) )", "sub.f$1 "},
    {"a matrix product left out", R"(mma\.sync[^;]+;)", ""},
    {"registers of A exchanged", R"((mma\.sync[^{]+\{[^}]+\}, \{)(%\w+),(%\w+),)", "$1$3,$2,"},
    {"registers of B exchanged", R"((mma\.sync[^{]+\{[^}]+\}, \{[^}]+\}, \{)(%\w+),(%\w+)\})", "$1$3,$2}"},
    {"another type", R"(f32\.bf16\.bf16\.f32)", "f32.f16.f16.f32"},
    {"another type, too", R"(f32\.f16\.f16\.f32)", "f32.bf16.bf16.f32"},
    {"unsigned bytes", R"(s32\.s8\.s8\.s32)", "s32.u8.s8.s32"},
    {"wrong lane in a shuffle", R"(shfl\.sync\.down)", "shfl.sync.up"},
    {"wrong distance in a shuffle", R"((mov\.u32\s+%r\d+), (16|8|4|2|1);)", "$1, 3;"},
    {"half of the threads", R"(%ntid\.x)", "16"},
    {"an address not moved on", R"(add\.s64\s+(%rd\d+), \1, \w+;)", ""},
    {"subtracted index", R"(add\.s(32|64)\s+(%\w+), (%\w+), (%\w+);)", "sub.s$1 $2, $3, $4;"},
    {"a store of nothing", R"(st\.global\.[^;]+;)", ""},
};

// Mutants that survive, since they do the same, and why.
const Same same[] = {
    // Whether the last steps are done by the loop of 64 (8, 4, 3) or by the one behind it.
    {"chain_bf16x2", "loop bound one too high", 1},
    {"chain_f32", "loop bound one too high", 1},
    {"gemv_f64", "loop bound one too high", 2},
    {"mma_bf16", "loop bound one too high", 1},
    {"mma_f64", "loop bound one too high", 1},
    {"mma_int8", "loop bound one too high", 1},
    {"mma_tf32", "loop bound one too high", 1},
    {"stencil_f64", "loop bound one too high", 1},
    // The remainder of less than 16 bytes is the first block's.
    {"chain_bf16x2", "half of the threads", 1},
    {"chain_f32", "half of the threads", 1},
    // No block has no plane; divisions by 64 and by 32 bits; rounding of what is never negative.
    {"stencil_f64", "bound one too high", 1},
    {"stencil_f64", "turned round too", 2},
    {"stencil_f64", "subtracted index", 1},
};

const Image& image_of(const std::string& kernel) {
  if (kernel.starts_with("chain")) return rr::chain_image;
  if (kernel.starts_with("mma")) return rr::matrix_image;
  return kernel.starts_with("stencil") ? rr::grid_image : rr::rows_image;
}

std::map<std::string, std::vector<Tried>> cases() {
  std::vector<Tried> all;
  // Loops of 64, 8 and 1 step begin at each of their bounds; the long arrays are more than a grid takes at once. Where
  // kernels differ in nothing but the type, one of them.
  rt::add_chains<float>(all, "f32", {1, 33}, {1, 2, 126, 510});
  rt::add_chains<float>(all, "f32", {16411}, {1, 14, 146});
  rt::add_packed(all, {1, 33}, {0, 1, 63, 255});
  rt::add_packed(all, {16411}, {0, 7, 63, 73});
  rt::add_rows<double>(all, "f64", {3, 11, 36}, {1, 6, 8, 67, 263}, {1, 4, 33, 203});
  rt::add_matrices(all, {9, 15});
  std::map<std::string, std::vector<Tried>> by_kernel;
  for (Tried& tried : all) by_kernel[tried.kernel].push_back(std::move(tried));
  by_kernel.erase("chain_f16x2");
  by_kernel.erase("mma_f16");
  return by_kernel;
}

// How it was killed; empty: it was not.
std::string verdict(const std::vector<Tried>& all, const std::string& ptx) {
  const auto judge = [&](ptx::testing::OneGpu& gpu, const Image& image) -> std::string {
    for (const Tried& tried : all) {
      const auto arena = gpu.device().make_arena(4 << 20);
      CudaContext context{gpu.device(), *arena, 1, Fill::random};
      const auto prepared = tried.make(context, image);
      if (auto how = testing::given_away_by(*prepared, gpu, tried.stated); !how.empty()) return how;
    }
    return {};
  };
  return ptx::testing::judged(ptx, judge, 1);
}

}  // namespace

TEST_CASE("mutants of every kind of roofline kernel are killed on the reference machine") {
  std::vector<Subject> subjects;
  const auto all = cases();
  for (const auto& [name, tried] : all)
    subjects.push_back({name,
                        device::cuda::ptx_of(image_of(name).begin, 80),
                        [&tried = tried](const std::string& ptx) { return verdict(tried, ptx); },
                        {name}});
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations), most_places),
                               same, {"wrong answer", "fault", "other work"});
}
