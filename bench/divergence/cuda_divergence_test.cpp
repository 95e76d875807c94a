// Divergence on the reference machine: right in every order, the stated work and no other, exactly the predicted share
// of lanes, and every wrong kernel found out.
#include <catch2/catch.hpp>

#include "bench/divergence/cuda_case.hpp"
#include "bench/harness/mutant.hpp"
#include "kernels/divergence/divergence_image.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

using namespace ridge;
using namespace ridge::bench;
using namespace ridge::divergence;
using ptx::testing::Mutation;
using ptx::testing::OneGpu;

namespace {

std::vector<Task> tasks(std::initializer_list<int> paths, int rounds) {
  std::vector<Task> all;
  for (const Kind kind : {Kind::branch, Kind::loop})
    for (const Split split : {Split::lane, Split::warp})
      for (const int each : paths) all.push_back({kind, split, each, rounds});
  return all;
}

struct Prepared {
  Prepared(OneGpu& gpu, const Task& task, const device::cuda::Image& image = divergence_image)
      : arena(gpu.device().make_arena(64)), context{gpu.device(), *arena, 1, Fill::random}, one(context, task, image) {}
  std::unique_ptr<device::Arena> arena;
  CudaContext context;
  bench::divergence::CudaCase one;
};

std::string verdict(Kind kind, OneGpu& gpu, const device::cuda::Image& image) {
  for (const int rounds : kind == Kind::branch ? std::vector{2, 1} : std::vector{5})
    for (const Task& task : tasks({1, 3, 32}, rounds)) {
      if (task.kind != kind) continue;
      Prepared prepared(gpu, task, image);
      if (auto how = testing::given_away_by(prepared.one, gpu); !how.empty()) return how;
    }
  return {};
}

}  // namespace

TEST_CASE("divergent kernels are right whatever the order of warps and blocks") {
  OneGpu gpu;
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    gpu.order(order);
    for (const Task& task : tasks({1, 2, 3, 7, 32}, 3)) {
      CAPTURE(static_cast<int>(task.kind), static_cast<int>(task.split), task.paths);
      Prepared prepared(gpu, task);
      const auto verified = prepared.one.verify();
      CHECK(verified.reason.empty());
      REQUIRE(verified.status == record::Check::passed);
      CHECK(verified.checked > 0);
    }
  }
}

TEST_CASE("the counted share of lanes is exactly the predicted one, and a falsified statement is seen") {
  OneGpu gpu;
  for (const Task& task : tasks({1, 2, 3, 4, 5, 8, 16, 31, 32}, 64)) {
    CAPTURE(static_cast<int>(task.kind), static_cast<int>(task.split), task.paths);
    Prepared prepared(gpu, task);
    const auto counted = gpu.count([&] { prepared.one.run(1); });
    // lanes / (32 · instructions), compared without rounding where the prediction is a fraction of small numbers
    CHECK(static_cast<double>(counted.floating_lanes) / (32.0 * static_cast<double>(counted.floating_instructions)) ==
          Approx(warp_efficiency(task)).epsilon(1e-15));
    CHECK(counted.lanes <= 32 * counted.instructions);
    if (task.split == Split::lane && task.paths > 1) CHECK(counted.divergent_branches > 0);
    if (task.split == Split::warp) CHECK(counted.divergent_branches == 0);
    record::Work work = prepared.one.work().value();
    CHECK(prove(work, {}, counted).proven);
    *work.operations += 2;
    CHECK_FALSE(prove(work, {}, counted).proven);
  }
}

TEST_CASE("every mutant of the divergent kernels is killed on the reference machine") {
  // Besides the common ones. Of some five hundred multiply-adds those whose register ends in 7.
  constexpr Mutation mutations[] = {
      {"thread index forgotten", R"(%tid\.x)", "0"},
      {"half of the threads", R"(%ntid\.x)", "16"},
      {"bound the other way", R"(setp\.gt\.([su])(32))", "setp.le.$1$2"},
      {"summand forgotten", R"(fma\.rn\.f32 (%f\d*7), (%f\d+), (%f\d+), %f\d+;)", "mul.rn.f32 $1, $2, $3;"},
      {"factor forgotten", R"(fma\.rn\.f32 (%f\d*7), (%f\d+), %f\d+, (%f\d+);)", "fma.rn.f32 $1, $2, $3, $3;"},
      {"a step left out", R"(fma\.rn\.f32 (%f\d*7), (%f\d+), %f\d+, %f\d+;)", "mov.f32 $1, $2;"},
      {"a multiplication by one too many", R"(fma\.rn\.f32 (%f\d*7), (%f\d+), (%f\d+), (%f\d+);)",
       "fma.rn.f32 $1, $2, $3, $4; mul.rn.f32 $1, $1, $3;"},
      {"wrong size of an element", R"((mul\.wide\.[us]32 %rd\d+, %r\d+), 4;)", "$1, 8;"},
      {"wrong remainder", R"(rem\.([us])(32))", "div.$1$2"},
      {"warps of another size", R"((shr\.u32 %r\d+, %r\d+), 5;)", "$1, 4;"},
      {"lanes of another warp", R"((and\.b32\s+%r\d+, %r\d+), 31;)", "$1, 15;"},
      {"subtracted", R"(add\.s32 (%r\d+), (%r\d+), (%r\d+|-?\d+);)", "sub.s32 $1, $2, $3;"},
      {"subtracted from an address", R"(add\.s64 (%rd\d+), (%rd\d+), (%rd\d+);)", "sub.s64 $1, $2, $3;"},
      {"wrong quotient", R"(div\.([us])(32))", "rem.$1$2"},
      {"doubled", R"(shl\.b32 (%r\d+), (%r\d+), 1;)", "mov.u32 $1, $2;"},
  };
  // On the first path the summand is the factor: 1.
  const ptx::testing::Same same[] = {{"divergence_branch", "factor forgotten", 1}};
  std::vector<ptx::testing::Subject> subjects;
  for (const Kind kind : {Kind::branch, Kind::loop})
    subjects.push_back({kind == Kind::branch ? "divergence_branch" : "divergence_loop",
                        device::cuda::ptx_of(divergence_image.begin, 80), [kind](const std::string& ptx) {
                          return ptx::testing::judged(ptx, [kind](OneGpu& gpu, const device::cuda::Image& image) {
                            return verdict(kind, gpu, image);
                          });
                        }});
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations)), same,
                               {"wrong answer", "fault", "other work"});
}
