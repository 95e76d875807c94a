// Atomic kernels on the reference machine: right in every order, the stated work and no other, as many turns as
// arithmetic says, and every wrong kernel found out.
#include <catch2/catch.hpp>

#include "bench/atomics/cuda_case.hpp"
#include "bench/harness/proof.hpp"
#include "kernels/atomics/atomics_image.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

using namespace ridge;
using namespace ridge::bench;
using namespace ridge::bench::atomics;
using ptx::testing::Mutation;
using ptx::testing::OneGpu;
using ridge::atomics::Counters;

namespace {

constexpr Counters all_counters[] = {Counters::one, Counters::warp, Counters::neighbours, Counters::spread};

struct Prepared {
  Prepared(OneGpu& gpu, bool shared, Counters counters, int times,
           const device::cuda::Image& image = ridge::atomics::atomics_image)
      : arena(gpu.device().make_arena(64)), context{gpu.device(), *arena, 1, Fill::random} {
    if (shared)
      one = std::make_unique<SharedCase>(context, counters, times, image);
    else
      one = std::make_unique<AddCase>(context, counters, times, image);
  }
  std::unique_ptr<device::Arena> arena;
  CudaContext context;
  std::unique_ptr<Case> one;
};

// Of the case's last counted repetition.
Proof proof_of(const Prepared& prepared, bool shared, const device::Counted& counted) {
  auto atomics = counted;  // as the engine has it for operations in OP/s
  atomics.flops = counted.atomics;
  return prove(prepared.one->work().value(), prepared.one->besides_work(),
               shared ? of_shared_memory(atomics) : atomics);
}

std::string verdict(bool shared, OneGpu& gpu, const device::cuda::Image& image) {
  for (const Counters counters : all_counters)
    for (const int times : {1, 2, 4, 9}) {
      if (shared && counters == Counters::spread) continue;
      const Prepared prepared(gpu, shared, counters, times, image);
      if (prepared.one->verify().status != record::Check::passed) return "wrong answer";
      const auto counted = gpu.count([&] { prepared.one->run(1); });
      if (!proof_of(prepared, shared, counted).proven) return "other work";
    }
  return {};
}

}  // namespace

TEST_CASE("atomic kernels are right whatever the order of warps and blocks") {
  OneGpu gpu;
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    gpu.order(order);
    for (const bool shared : {false, true})
      for (const Counters counters : all_counters) {
        if (shared && counters == Counters::spread) continue;
        CAPTURE(shared, static_cast<int>(counters));
        const Prepared prepared(gpu, shared, counters, 5);
        const auto verified = prepared.one->verify();
        CHECK(verified.reason.empty());
        REQUIRE(verified.status == record::Check::passed);
        prepared.one->run(2);
        REQUIRE(prepared.one->verify().status == record::Check::passed);
      }
  }
}

TEST_CASE("lanes take the predicted turns, a request touches the predicted sectors, and the stated work is proven") {
  OneGpu gpu;
  for (const bool shared : {false, true})
    for (const Counters counters : all_counters) {
      if (shared && counters == Counters::spread) continue;
      CAPTURE(shared, static_cast<int>(counters));
      const Prepared prepared(gpu, shared, counters, 64);
      const auto counted = gpu.count([&] { prepared.one->run(1); });
      CHECK(counted.atomic_turns == counted.atomic_requests * ridge::atomics::turns(counters));
      CHECK(counted.atomics == counted.atomic_requests * 32);
      CHECK(proof_of(prepared, shared, counted).proven);
      auto one_more = counted;
      ++one_more.atomics;
      CHECK_FALSE(proof_of(prepared, shared, one_more).proven);
      const auto note = gpu.reference().launches().front();
      if (shared) continue;
      const std::uint64_t sectors = counters == Counters::neighbours ? 4 : counters == Counters::spread ? 32 : 1;
      CHECK(note.counts.atomic_global.sectors == note.counts.atomic_global.requests * sectors);
    }
}

TEST_CASE("every mutant of the atomic kernels is killed on the reference machine") {
  // Besides the common ones.
  constexpr Mutation mutations[] = {
      {"thread index forgotten", R"(%tid\.x)", "0"},
      {"half of the threads", R"(%ntid\.x)", "16"},
      {"not atomic", R"(atom\.(global|shared)\.add\.u32 (%r\d+), \[([^\]]+)\], 1;)",
       "ld.$1.u32 $2, [$3]; add.u32 $2, $2, 1; st.$1.u32 [$3], $2; sub.u32 $2, $2, 1;"},
      {"two added", R"((atom\.\w+\.add\.u32 %r\d+, \[[^\]]+\]), 1;)", "$1, 2;"},
      {"nothing added", R"((atom\.\w+\.add\.u32 %r\d+, \[[^\]]+\]), 1;)", "$1, 0;"},
      {"exchanged, not added", R"(atom\.(\w+)\.add\.u32)", "atom.$1.exch.b32"},
      {"addition left out", R"(atom\.(\w+)\.add\.u32 (%r\d+), \[[^\]]+\], 1;)", "mov.u32 $2, 0;"},
      {"barrier removed", R"(bar\.sync\s+0;)", ""},
      {"counter not cleared", R"(st\.shared\.u32 \[[^\]]+\], %r\d+;)", ""},
      {"wrong size of an element", R"((mul\.wide\.[us]32 %rd\d+, %r\d+), [48];)", "$1, 1;"},
      {"remainder for quotient", R"(div\.u32)", "rem.u32"},
      {"subtracted", R"(add\.s(32|64) (%\w+), (%\w+), (%\w+|-?\d+);)", "sub.s$1 $2, $3, $4;"},
      {"what was found forgotten", R"(add\.s64 (%rd\d+), (%rd\d+), (%rd\d+);)", "mov.u64 $1, $3;"},
      {"apart forgotten", R"(mul\.wide\.u32 (%rd\d+), (%r\d+), (%r\d+);)", "cvt.u64.u32 $1, $2;"},
  };
  std::vector<ptx::testing::Subject> subjects;
  for (const bool shared : {false, true})
    subjects.push_back(
        {shared ? "atomics_shared" : "atomics_add", device::cuda::ptx_of(ridge::atomics::atomics_image.begin, 80),
         [shared](const std::string& ptx) {
           return ptx::testing::judged(
               ptx, [shared](OneGpu& gpu, const device::cuda::Image& image) { return verdict(shared, gpu, image); });
         }});
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations)), {},
                               {"wrong answer", "fault"});
}
