// Wrong versions of the family's GPU kernels, made by changing one place in their PTX: the reference machine's checks,
// the verification or the proof of work must kill them all, but for those that do the same.
#include <catch2/catch.hpp>

#include "bench/fusion/cuda_attention.hpp"
#include "bench/fusion/cuda_case.hpp"
#include "bench/fusion/data.hpp"
#include "bench/harness/mutant.hpp"
#include "kernels/attention/attention_image.hpp"
#include "kernels/fused/fused_image.hpp"
#include "kernels/fused/reference.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"
#include "kernels/random/counter.hpp"

using namespace ridge;
using namespace ridge::bench;
using device::cuda::Image;
using fused::Pair;
using ptx::testing::Mutation;
using ptx::testing::OneGpu;
using ptx::testing::Same;
using ptx::testing::Subject;
namespace bf = ridge::bench::fusion;

namespace {

// Of each mistake, places of one kernel that are tried: loops over a row's sixteen places are unrolled.
constexpr std::size_t most_places = 2;

// Besides the common ones.
constexpr Mutation mutations[] = {
    {"barrier removed", R"(bar\.sync\s+0;)", ""},
    {"lanes not joined", R"((mov\.u32\s+%r\d+), (16|8|4|2|1);)", "$1, 0;"},
    {"a multiply-add left out", R"(fma\.rn\.f32 (\s*%\w+), (%\w+), ([^,;]+), ([^;]+);)", "mov.f32 $1, $2;"},
    {"summand forgotten", R"(fma\.rn\.f32 (\s*%\w+), (%\w+), ([^,;]+), ([^;]+);)", "mul.rn.f32 $1, $2, $3;"},
    {"a product left out", R"(mul(?:\.rn)?\.f32 (\s*%\w+), (%\w+), ([^;]+);)", "mov.f32 $1, $2;"},
    {"added", R"(sub(?:\.rn)?\.f32 )", "add.f32 "},
    {"subtracted", R"(add(?:\.rn)?\.f32 )", "sub.f32 "},
    {"smallest for largest", R"(max\.f32)", "min.f32"},
    {"exponential left out", R"(ex2\.approx(?:\.ftz)?\.f32 )", "mov.f32 "},
    {"logarithm left out", R"(lg2\.approx(?:\.ftz)?\.f32 )", "mov.f32 "},
    {"reciprocal left out", R"(rcp\.(?:rn|approx)(?:\.ftz)?\.f32 )", "mov.f32 "},
    {"root left out", R"(rsqrt\.approx(?:\.ftz)?\.f32 )", "mov.f32 "},
    {"quotient turned round", R"(div\.(?:approx|full|rn)(?:\.ftz)?\.f32 (\s*%\w+), (%\w+), (%\w+);)",
     "div.approx.f32 $1, $3, $2;"},
    {"sign lost", R"(neg\.f32 )", "mov.f32 "},
    {"wrong width of an index", R"((mul\.wide\.[su]32\s+%rd\d+, %r\d+), 4;)", "$1, 8;"},
    {"a load from further on", R"((ld\.(?:global(?:\.nc)?|shared)\.f32\s+%f\d+, \[%rd?\d+)\];)", "$1+4];"},
    {"a store of nothing", R"(st\.(?:global|shared)\.[^;]+;)", ""},
    {"a store into the next place", R"((st\.(?:global|shared)\.f32\s+\[%rd?\d+)\])", "$1+4]"},
    {"a warp's word of another warp", R"(shr\.u32 (\s*%r\d+), (%r\d+), 5;)", "shr.u32 $1, $2, 6;"},
};

struct Kernel {
  std::string name;
  Pair pair;
  bool is_fused;
};

// Each kernel once, in a side that uses it.
std::vector<Kernel> kernels() {
  std::vector<Kernel> all{{fused::cuda_chain.name, Pair::chain, true}};
  for (const fused::Facts& facts : fused::all_facts())
    for (const bool is_fused : {false, true})
      for (const fused::CudaStep& step : fused::cuda_steps(facts.pair, is_fused)) {
        const std::string name = step.kernel.name;
        if (std::none_of(all.begin(), all.end(), [&](const Kernel& known) { return known.name == name; }))
          all.push_back({name, facts.pair, is_fused});
      }
  return all;
}

// Rows fewer and more than blocks, columns below and above a block's threads and in those of a thread's places that are
// tried, and a whole row of places. What takes a row a thread is given more rows than threads.
std::string verdict(const Kernel& kernel, OneGpu& gpu, const Image& image) {
  std::vector<bf::CudaCase::Shape> shapes{{0, 1, 1},    {1, 1, 1},    {3, 33, 3},   {19, 300, 6},
                                          {1, 2100, 2}, {1, 2400, 1}, {1, 1100, 1}, {1, 1600, 1},
                                          {1, 2900, 1}, {2, 4095, 1}, {1, 4096, 1}};
  if (kernel.name == fused::pick_label.kernel.name) shapes.push_back({2100, 1, 1});
  for (const auto& shape : shapes) {
    const auto arena = gpu.device().make_arena(1 << 20);
    CudaContext context{gpu.device(), *arena, 1, Fill::random};
    bf::CudaCase one(context, fused::facts_of(kernel.pair), kernel.is_fused, shape, image);
    if (auto how = bench::testing::given_away_by(one, gpu); !how.empty()) return how;
  }
  return {};
}

// Those that the case of the kernel looks for.
std::vector<std::string> needed(const Kernel& kernel) {
  std::vector<std::string> names{fused::cuda_chain.name};
  for (const fused::CudaStep& step : fused::cuda_steps(kernel.pair, kernel.is_fused))
    names.emplace_back(step.kernel.name);
  return names;
}

// One query and key; tiles that are not whole, one and several; more than one head.
std::string verdict_of_attention(bool is_fused, OneGpu& gpu, const Image& image) {
  for (const auto& [heads, sequence, causal] :
       {std::tuple{1, 1, false}, {2, 33, true}, {1, 64, false}, {2, 70, true}, {1, 97, false}}) {
    const auto arena = gpu.device().make_arena(1 << 20);
    CudaContext context{gpu.device(), *arena, 1, Fill::random};
    bf::CudaAttention one(context, {heads, sequence, 64, causal}, is_fused, image);
    if (auto how = bench::testing::given_away_by(one, gpu); !how.empty()) return how;
  }
  return {};
}

// Attention's softmax by itself: rows longer than attention can have here, a block more than rows, an element whose
// exponential is no float.
std::string verdict_of_softmax(OneGpu& gpu, const Image& image) {
  const auto function = gpu.device().function(image, attention::cuda_softmax);
  auto& stream = gpu.device().stream();
  using attention::zeros_in_row, attention::zeros_in_tile;
  for (const auto& [rows, n, causal] : {std::tuple{1, 1, 0},
                                        {5, 33, 0},
                                        {100, 100, zeros_in_tile},
                                        {70, 150, zeros_in_row},
                                        {2, 300, 0},
                                        {1, 2100, 0},
                                        {1, 4095, 0},
                                        {1, 4096, 0}}) {
    const auto arena = gpu.device().make_arena(1 << 20);
    auto* const scores = arena->borrow(std::int64_t{4} * rows * n).as<float>();
    std::vector<float> given, have(static_cast<std::size_t>(rows * n));
    for (std::uint64_t i = 0; i < have.size(); ++i) given.push_back(random::full_mantissa<float>(random::bits(1, i)));
    for (int row = 2; row < rows; row += 3) given[static_cast<std::size_t>(row * n + row / 2)] = 200;
    const auto bytes = static_cast<std::int64_t>(4 * given.size());
    stream.copy_to_device(scores, given.data(), bytes);
    stream.synchronize();
    const auto counted = gpu.count([&, rows = rows, n = n, causal = causal] {
      const device::cuda::Shape shape{static_cast<unsigned>(rows) + 1, attention::cuda_threads, 0};
      function(stream, shape, scores, n, rows, causal);
    });
    stream.copy_to_host(have.data(), scores, bytes);
    stream.synchronize();
    stream::Check found;
    std::int64_t read = 0, written = 0;
    for (int row = 0; row < rows; ++row) {
      const int seen = causal != 0 ? row + 1 : n;
      const int tile = row / attention::square * attention::square + attention::square;
      const int end = causal == zeros_in_tile ? std::min<int>(n, tile) : n;
      const auto* const from = given.data() + row * n;
      const auto all = fused::log_sum_exp(std::vector<double>(from, from + seen));
      for (int j = 0; j < n; ++j) {
        const double want = j < seen ? std::exp(static_cast<double>(from[j]) - all) : j < end ? 0 : from[j];
        bf::compare(found, j, static_cast<double>(have[static_cast<std::size_t>(row * n + j)]), want,
                    fused::bound(Pair::softmax, std::abs(want), n, 1));
      }
      read += std::int64_t{4} * seen, written += std::int64_t{4} * end;
    }
    if (found.wrong > 0) return "wrong answer";
    if (counted.bytes_read != read || counted.bytes_written != written) return "other work";
  }
  return {};
}

// Mutants that survive, since they do the same, and why.
std::vector<Same> same() {
  std::vector<Same> all{
      // Whether the last steps of a chain are done by the loop of four or by the one behind it; a chain of no steps.
      {"fused_chain", "loop bound one too high", 1},
      {"fused_chain", "bound one too low", 1},
      // What becomes of elements that no label names, at the places tried: nothing reads them.
      {"fused_subtract_log_sum", "added", 1},
  };
  // Which lane leaves its warp's value for the others, when all of them have the same.
  for (const char* kernel : {"fused_row_max", "fused_row_exponentials", "fused_softmax", "fused_row_squares",
                             "fused_rmsnorm", "fused_row_mean", "fused_row_variance", "fused_layernorm",
                             "fused_row_sum_of_exponentials", "fused_cross_entropy"})
    all.push_back({kernel, "turned round", 1});
  // The first summand is 0.
  for (const char* kernel : {"fused_row_exponentials", "fused_softmax", "fused_row_mean",
                             "fused_row_sum_of_exponentials", "fused_cross_entropy"})
    all.push_back({kernel, "subtracted", 1});
  // A word of 32 bits that is exactly the bound of what is dropped.
  for (const char* kernel : {"fused_apply_dropout", "fused_bias_gelu_dropout"}) {
    all.push_back({kernel, "loop bound one too high", 1});
    all.push_back({kernel, "bound one too low", 2});
  }
  return all;
}

const Same same_attention[] = {
    // Whether the compiler's division takes 32 or 64 bits: lengths here fit both.
    {"attention_scores_64", "turned round too", 1},
    {"attention_softmax", "turned round too", 1},
    {"attention_values_64", "turned round too", 1},
    {"attention_tiled_64", "turned round too", 1},
    // Which lane leaves its warp's value for the others, when all of them have the same.
    {"attention_softmax", "turned round", 1},
    // The lesser of two numbers that are equal.
    {"attention_softmax", "loop bound one too high", 1},
    {"attention_values_64", "loop bound one too high", 1},
    {"attention_tiled_64", "loop bound one too high", 1},
    // A sequence of no keys.
    {"attention_values_64", "bound one too low", 1},
    {"attention_tiled_64", "bound one too low", 1},
    // The first summand is 0.
    {"attention_softmax", "subtracted", 1},
    {"attention_tiled_64", "subtracted", 1},
};

}  // namespace

TEST_CASE("mutants of every fused and unfused GPU kernel are killed on the reference machine") {
  std::vector<Subject> subjects;
  for (const Kernel& kernel : kernels()) {
    const auto judge = [kernel](OneGpu& gpu, const Image& image) { return verdict(kernel, gpu, image); };
    const std::uint64_t most_steps = kernel.name == fused::pick_label.kernel.name ? 10'000'000 : 1'000'000;
    subjects.push_back(
        {kernel.name, device::cuda::ptx_of(fused::fused_image.begin, 80),
         [judge, most_steps](const std::string& ptx) { return ptx::testing::judged(ptx, judge, 1, most_steps); },
         needed(kernel)});
  }
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations), most_places),
                               same(), {"wrong answer", "fault", "other work"});
}

// Of heads of 64: those of 128 are the same templates. One place of each mistake: a tile takes long to execute.
TEST_CASE("mutants of the attention kernels are killed on the reference machine") {
  const std::string scores = attention::cuda_scores_64.name, softmax = attention::cuda_softmax.name,
                    values = attention::cuda_values_64.name, tiled = attention::cuda_tiled_64.name;
  std::vector<Subject> subjects;
  for (const std::string& name : {scores, softmax, values, tiled}) {
    const auto judge = [name, softmax, tiled](OneGpu& gpu, const Image& image) {
      return name == softmax ? verdict_of_softmax(gpu, image) : verdict_of_attention(name == tiled, gpu, image);
    };
    const auto needs = name == softmax || name == tiled ? std::vector{name} : std::vector{scores, softmax, values};
    subjects.push_back({name, device::cuda::ptx_of(attention::attention_image.begin, 80),
                        [judge](const std::string& ptx) { return ptx::testing::judged(ptx, judge); }, needs});
  }
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations), 1),
                               same_attention, {"fault", "wrong answer", "other work"});  // faults are the most
}
