// Our own product of bf16 as a case, the dot product emulated since the processor that tests run on may have none: in
// every layout and share, wrong products refused, who has no instruction skipped, and what its records are held
// against.
#include <catch2/catch.hpp>

#include <cstring>
#include <iostream>

#include "bench/gemm/analysis.hpp"
#include "bench/gemm/verified.hpp"
#include "bench/harness/lookup.hpp"
#include "kernels/device/cpu/instr/dot.hpp"

using namespace ridge;
using namespace ridge::bench;
using bench::gemm::float_point;
using bench::gemm::ladder_point;
using bench::gemm::verified;
namespace bg = ridge::bench::gemm;
namespace rg = ridge::gemm;

namespace {

using Kernel = rg::Kernel<float, std::uint16_t>;

record::Verification verified_with(Kernel kernel, const record::Point& point) {
  return verified(point, [&](CpuContext& context) {
    return bg::make_case(point, context, [&](const auto& question, const auto& pointers, auto& with) {
      return bg::make_own(kernel, "emulated", question.problem, pointers, true, with);
    });
  });
}

}  // namespace

TEST_CASE("our own product of bf16 is verified in every layout, in batches, by one thread and by several") {
  const auto kernel = rg::bf16_emulated_kernel();
  CHECK(verified_with(kernel, ladder_point("bf16_dot")).status == record::Check::passed);
  for (const std::string layout : {"nn", "nt", "tn", "tt"})
    for (const std::int64_t threads : {1, 3})
      for (const auto& [m, n, k] : {std::tuple{37, 170, 33}, std::tuple{130, 7, 5}, std::tuple{1, 1, 1}}) {
        const auto point = float_point("bf16", m, n, k, layout, 2, "blocked", threads);
        CAPTURE(point.to_text());
        REQUIRE_FALSE(bg::unsupported(point));
        const auto result = verified_with(kernel, point);
        CHECK(result.status == record::Check::passed);
        CHECK(result.checked == 2 * m * n);
      }
  CHECK(verified_with(kernel, float_point("bf16", 20, 33, 3001, "nn", 1, "blocked")).status == record::Check::passed);
}

TEST_CASE("wrong products of bf16 are refused by the case, sums too narrow and a last odd term lost among them") {
  static const Kernel right = rg::bf16_emulated_kernel();
  using P = const rg::Product<float, std::uint16_t>&;
  using I = std::int64_t;
  int killed = 0;
  const auto refuse = [&](const char* mistake, Kernel kernel) {
    const bool refused = verified_with(kernel, ladder_point("bf16_dot")).status == record::Check::failed;
    std::cout << (refused ? "killed: " : "SURVIVED: ") << mistake << "\n";
    CHECK(refused);
    killed += refused ? 1 : 0;
  };
  refuse("a last odd term lost", [](P p, float* w, I b, I e) {
    auto shorter = p;
    shorter.a_stride = p.stride_of_a();
    --shorter.k;
    right(shorter, w, b, e);
  });
  refuse("sums cut to 16 bits", [](P p, float* w, I b, I e) {
    right(p, w, b, e);
    for (I i = 0; i < p.m; ++i)
      for (I j = b; j < e; ++j) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &p.c[i * p.n + j], sizeof bits);
        bits &= 0xFFFF0000U;
        std::memcpy(&p.c[i * p.n + j], &bits, sizeof bits);
      }
  });
  refuse("the first row not written", [](P p, float* w, I b, I e) { right(rg::rows_of(p, 1, p.m), w, b, e); });
  refuse("wrote behind C", [](P p, float* w, I b, I e) {
    right(p, w, b, e);
    p.c[p.m * p.n] = 0;
  });
  std::cout << killed << " of 4 wrong products refused\n";
  CHECK(killed == 4);
}

TEST_CASE("sums of 16384 products of bf16 with random signs pass, and a bit of weight 2^-8 in one of them is seen") {
  const auto point = float_point("bf16", 33, 34, 16384, "nn", 1, "blocked");
  CHECK(verified_with(rg::bf16_emulated_kernel(), point).status == record::Check::passed);
  const Kernel flipped = [](const rg::Product<float, std::uint16_t>& p, float* w, std::int64_t b, std::int64_t e) {
    rg::bf16_emulated_kernel()(p, w, b, e);
    std::uint32_t bits = 0;
    float& c = p.c[5 * p.n + b];
    std::memcpy(&bits, &c, sizeof bits);
    bits ^= 1U << (23 - 8);
    std::memcpy(&c, &bits, sizeof bits);
  };
  CHECK(verified_with(flipped, point).status == record::Check::failed);
}

TEST_CASE("steps of bf16 are of bf16 on all threads, stand beside f32, and are skipped without the instruction") {
  const auto question = bg::question_of(ladder_point("bf16_dot"));
  CHECK(question.engine == bg::Engine::bf16_dot);
  CHECK(question.problem.a == rg::Type::bf16);
  CHECK(question.problem.c == rg::Type::f32);
  CHECK(question.problem.threads == 2);
  CHECK(*bg::work(ladder_point("bf16_dot")).bytes_read == 2 * 65 * 65 * 2);
  CHECK(bg::question_of(ladder_point("library_bf16")).engine == bg::Engine::onednn);
  CHECK(bg::question_of(ladder_point("library_bf16")).problem.a == rg::Type::bf16);
  CHECK(bg::question_of(float_point("bf16", 8, 8, 8, "nn", 1, "blocked")).engine == bg::Engine::bf16_dot);
  CHECK_FALSE(bg::unsupported(ladder_point("bf16_dot")));
  for (const char* step : {"bf16_dot", "library_bf16"})
    CHECK(bg::unsupported(ladder_point(step, "f64")) == "steps of bf16 stand beside those of f32");
  auto half = float_point("bf16", 8, 8, 8, "nn", 1, "blocked");
  half.set("output", std::string("half"));
  CHECK(bg::unsupported(half) == "our own kernel of bf16 stores sums in f32");
  CHECK(bg::unsupported(float_point("f16", 8, 8, 8, "nn", 1, "blocked")) ==
        "our own kernels multiply f64, f32 and bf16 only");
  const auto result = verified(ladder_point("bf16_dot"));
  if (rg::bf16_dot_kernel() == nullptr)
    CHECK(result.reason == "this processor has no bf16 dot product (AVX512_BF16, or BF16 of AArch64)");
  else
    CHECK(result.status == record::Check::passed);
}

TEST_CASE("the bf16 step is held against the library's bf16 and against the step of ours before") {
  const auto measured = [](const char* step, double flops) {
    record::Record r;
    r.benchmark = "gemm.ladder";
    r.device = "cpu";
    r.point = ladder_point(step);
    r.status = record::Status::ok;
    r.metrics.push_back({"flops", flops, record::Unit::flop_per_second, record::Better::higher, {}, {}});
    return r;
  };
  std::vector<record::Record> all{measured("threads", 100e9), measured("library", 110e9), measured("bf16_dot", 150e9),
                                  measured("library_bf16", 200e9)};
  bg::conclude(all);
  CHECK(*value_of(all[2], "share_of_library") == Approx(0.75));
  CHECK(*value_of(all[2], "gain") == Approx(1.5));
  CHECK(*value_of(all[0], "share_of_library") == Approx(100.0 / 110));
}
