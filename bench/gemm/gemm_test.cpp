// Every engine in every layout verified at awkward shapes, wrong kernels refused, and what points and records mean.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <iostream>

#include "bench/gemm/analysis.hpp"
#include "bench/gemm/case.hpp"
#include "bench/gemm/definition.hpp"
#include "bench/gemm/verified.hpp"
#include "bench/harness/lookup.hpp"
#include "bench/harness/plan.hpp"

using namespace ridge;
using namespace ridge::bench;
using bench::gemm::float_point;
using bench::gemm::ladder_point;
using bench::gemm::passed_or_absent;
using bench::gemm::verified;
namespace bg = ridge::bench::gemm;
namespace rg = ridge::gemm;

TEST_CASE("every engine multiplies every layout at shapes that fit no block") {
  for (const std::string dtype : {"f64", "f32", "bf16", "f16"})
    for (const std::string layout : {"nn", "nt", "tn", "tt"})
      for (const std::string engine : {"blocked", "onednn", "openblas"})
        for (const std::int64_t batch : {1, 2}) {
          for (const auto& [m, n, k] : {std::tuple{37, 70, 33}, std::tuple{130, 7, 5}, std::tuple{1, 1, 1}}) {
            const auto point = float_point(dtype, m, n, k, layout, batch, engine);
            if (bg::unsupported(point)) continue;
            const auto result = verified(point);
            INFO(point.to_text() << ": " << result.reason);
            CHECK(passed_or_absent(result));
            if (engine == "blocked" && dtype != "bf16") CHECK(result.status == record::Check::passed);
            if (result.status == record::Check::passed && m == 37) {
              CHECK(result.checked == batch * m * n);
              CHECK(*result.max_error > 0);
              CHECK(*result.max_error <= 1);
            }
          }
        }
}

TEST_CASE("bytes are multiplied exactly, and every step of the ladder is right") {
  record::Point bytes = float_point("int8", 40, 50, 200, "nn", 1, "library");
  const auto result = verified(bytes);
  INFO(result.reason);
  CHECK(passed_or_absent(result));
  for (const std::string& step : bg::names_of(bg::steps()))
    for (const std::string dtype : {"f64", "f32"}) {
      const auto checked = verified(ladder_point(step, dtype));
      INFO(step << " " << checked.reason);
      CHECK(passed_or_absent(checked));
      const bool anywhere = step != "library" && step != "bf16_dot" && step != "library_bf16";
      if (anywhere) CHECK(checked.status == record::Check::passed);
      CHECK(std::strlen(bg::idea_of(bg::steps(), step)) > 20);
    }
  for (const Fill fill : {Fill::zero, Fill::ones})
    CHECK(verified(ladder_point("packed"), fill).status == record::Check::passed);
}

TEST_CASE("what is timed are the numbers that were asked for") {
  const record::Point point = ladder_point("packed");
  const auto device = device::cpu::make_device();
  std::int64_t needed = 0;
  for (const std::int64_t bytes : bg::buffers(point)) needed += device::borrow_cost(bytes);
  for (const auto& [fill, sum] : {std::pair{Fill::ones, static_cast<float>(point.integer("k"))}, {Fill::zero, 0.F}}) {
    const auto arena = device->make_arena(needed);
    CpuContext context{*device, *arena, 1, fill};
    const float* c = nullptr;
    const auto prepared = bg::make_case(point, context, [&](const auto& question, const auto& pointers, auto& with) {
      c = static_cast<const float*>(pointers.c);
      return bg::make_multiplier(question, pointers, with);
    });
    CHECK(prepared->verify().status == record::Check::passed);
    prepared->run(1);
    const std::int64_t count = point.integer("m") * point.integer("n");
    CHECK(std::count(c, c + count, sum) == count);
  }
}

TEST_CASE("large products are compared in rows and columns, the last among them") {
  const auto point = float_point("f32", 60, 90, 40, "nt", 3, "blocked");
  const auto result =
      verified(point, [&](CpuContext& context) { return bg::make_case(point, context, bg::make_multiplier, 1000); });
  CHECK(result.status == record::Check::passed);
  CHECK(result.reason.find("8 rows and 4 columns, the last ones among them") != std::string::npos);
}

TEST_CASE("wrong products are refused: the list and the count") {
  int killed = 0, all = 0;
  using P = const rg::Product<float>&;
  using I = std::int64_t;
  static const auto right = rg::blocked_kernel<float>();
  const auto refuse = [&](const char* mistake, rg::Kernel<float> kernel, std::int64_t k = 64,
                          std::int64_t compare_at_most = bg::most_compared) {
    const auto point = float_point("f32", 48, 70, k, "nn", 1, "blocked");
    const auto result = verified(point, [&](CpuContext& context) {
      const auto make = [&](const bg::Question& q, const rg::Pointers& p, CpuContext& c) {
        return bg::make_own<float>(kernel, "mutant", q.problem, p, true, c);
      };
      return bg::make_case(point, context, make, compare_at_most);
    });
    const bool refused = result.status == record::Check::failed;
    std::cout << (refused ? "killed: " : "SURVIVED: ") << mistake << "\n";
    CHECK(refused);
    ++all;
    killed += refused ? 1 : 0;
  };
  refuse("last column lost", [](P p, float* w, I b, I e) { right(p, w, b, e - (e == p.n ? 1 : 0)); });
  refuse("last row lost", [](P p, float* w, I b, I e) {
    auto m = p;
    --m.m;
    right(m, w, b, e);
  });
  refuse("last term lost", [](P p, float* w, I b, I e) {
    right(p, w, b, e);
    for (I i = 0; i < p.m; ++i)
      for (I j = b; j < e; ++j) p.c[i * p.n + j] -= p.a[i * p.k + p.k - 1] * p.b[(p.k - 1) * p.n + j];
  });
  // A mantissa bit of weight 2^-8 of one entry, also where the sum is so long that its rounding bound is wider, and
  // where only some rows are compared with f64.
  const auto flipped = [](P p, float* w, I b, I e) {
    right(p, w, b, e);
    std::uint32_t bits = 0;
    float& c = p.c[5 * p.n + b];
    std::memcpy(&bits, &c, sizeof bits);
    bits ^= 1U << (23 - 8);
    std::memcpy(&c, &bits, sizeof bits);
  };
  refuse("a bit of weight 2^-8 flipped", flipped);
  refuse("a bit of weight 2^-8 flipped, k = 16384", flipped, 16384);
  refuse("a bit of weight 2^-8 flipped, rows sampled", flipped, 64, 1);
  // Right on whole numbers, wrong on others: sums in bf16 would be that.
  refuse("entries cut to 12 bits", [](P p, float* w, I b, I e) {
    right(p, w, b, e);
    for (I i = 0; i < p.m; ++i)
      for (I j = b; j < e; ++j) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &p.c[i * p.n + j], sizeof bits);
        bits &= 0xFFFFF000U;
        std::memcpy(&p.c[i * p.n + j], &bits, sizeof bits);
      }
  });
  refuse(
      "the same where only rows and columns are compared",
      [](P p, float* w, I b, I e) {
        right(p, w, b, e);
        for (I i = 0; i < p.m; ++i)
          for (I j = b; j < e; ++j)
            p.c[i * p.n + j] = static_cast<float>(static_cast<double>(p.c[i * p.n + j]) * 1.0001);
      },
      64, 1);
  refuse("added to what was there", [](P p, float* w, I b, I e) {
    right(p, w, b, e);
    for (I j = b; j < e; ++j) p.c[j] += p.c[j];
  });
  refuse("wrote behind C", [](P p, float* w, I b, I e) {
    right(p, w, b, e);
    p.c[p.m * p.n] = 0;
  });
  std::cout << killed << " of " << all << " wrong products refused\n";
  CHECK(all == 10);
}

TEST_CASE("long sums with random signs pass") {
  CHECK(verified(float_point("f32", 33, 34, 16384, "nn", 1, "blocked")).status == record::Check::passed);
  CHECK(passed_or_absent(verified(float_point("bf16", 33, 34, 16384, "nn", 1, "library"))));
}

TEST_CASE("what a point asks for: work, bytes, engine, and what cannot be") {
  const auto big = float_point("f32", 46341, 46341, 64, "nn", 1, "library");
  CHECK(bg::buffers(big)[0] == std::int64_t{46341} * 46341 * 4 + bg::guard_bytes);
  CHECK(*bg::work(big).operations == std::int64_t{2} * 46341 * 46341 * 64);
  CHECK(*bg::work(big).bytes_read == std::int64_t{2} * 46341 * 64 * 4);
  CHECK(bg::question_of(float_point("f64", 8, 8, 8, "nn", 1, "library")).engine == bg::Engine::openblas);
  CHECK(bg::question_of(float_point("bf16", 8, 8, 8, "nt", 1, "library")).engine == bg::Engine::onednn);
  CHECK(bg::question_of(float_point("bf16", 8, 8, 8, "nt", 1, "library")).problem.b_transposed);
  CHECK(bg::question_of(ladder_point("packed")).problem.threads == 1);
  CHECK(bg::question_of(ladder_point("threads")).problem.threads == 2);
  CHECK(bg::unsupported(float_point("f64", 8, 8, 8, "nn", 1, "onednn")));
  CHECK(bg::unsupported(float_point("f16", 8, 8, 8, "nn", 1, "openblas")));
  CHECK(bg::unsupported(float_point("int8", 8, 8, 1 << 20, "nn", 1, "library")));
  CHECK(bg::unsupported(float_point("f32", 1 << 20, 1 << 20, 1 << 20, "nn", 1 << 16, "library")));
  CHECK_FALSE(bg::unsupported(float_point("f32", 46341, 46341, 64, "nn", 1, "library")));
}

TEST_CASE("more than 2^31 entries of C are planned where they fit, and refused with the bytes they need where not") {
  const auto all = bg::definitions();
  Settings settings;
  Inventory inventory;
  inventory.devices = {{{device::Kind::cpu, 0}, std::nullopt, std::int64_t{8} << 30}};
  const Selection wanted{{{{"gemm.float"}, {{"dtype", "f32"}, {"m", "46341"}, {"k", "64"}}}}, {{device::Kind::cpu, 0}}};
  const auto draft = [&] { return plan(all, wanted, inventory, settings).cases.at(0).draft; };
  const std::int64_t extent = 46341;
  const std::int64_t needed =
      device::borrow_cost(extent * extent * 4 + bg::guard_bytes) + 2 * device::borrow_cost(extent * 64 * 4);
  CHECK(needed > std::int64_t{4} * INT32_MAX);
  CHECK(draft().status == record::Status::failed);
  CHECK(draft().reason == "does not fit: needs " + std::to_string(needed) + " bytes, 8589934592 bytes available");
  inventory.devices[0].available_bytes = needed;
  CHECK(draft().status == record::Status::not_run);
}

namespace {

record::Record measured(const std::string& benchmark, const record::Point& point, const char* metric, double value) {
  record::Record r;
  r.benchmark = benchmark;
  r.device = "cpu";
  r.point = point;
  r.status = record::Status::ok;
  r.metrics.push_back({metric, value, record::Unit::flop_per_second, record::Better::higher, {}, {}});
  return r;
}

}  // namespace

TEST_CASE("records of a run are held against the library's, against f32 and against the step before") {
  record::Point bytes = float_point("int8", 512, 512, 512, "nt", 1, "library");  // as they are stored on GPUs
  record::Point peak;
  peak.set("dtype", std::string("f32"));
  peak.set("threads", std::int64_t{2});
  std::vector<record::Record> all{
      measured("gemm.float", float_point("f32", 512, 512, 512, "nn", 1, "library"), "flops", 100e9),
      measured("gemm.float", float_point("f32", 512, 512, 512, "nn", 1, "blocked"), "flops", 80e9),
      measured("gemm.float", float_point("f64", 512, 512, 512, "nn", 1, "library"), "flops", 50e9),
      measured("gemm.int8", bytes, "ops", 200e9),
      measured("gemm.ladder", ladder_point("naive"), "flops", 2e9),
      measured("gemm.ladder", ladder_point("loop_order"), "flops", 8e9),
      measured("gemm.ladder", ladder_point("library"), "flops", 80e9),
      measured("roofline.peak", peak, "flops", 125e9)};
  all[0].work.counting =
      "a rule" + bg::multiplied_by({{"library", "oneDNN"}, {"environment", "ONEDNN_MAX_CPU_ISA=SSE41"}});
  const auto findings = bg::conclude(all);
  REQUIRE(findings.size() == 4);
  CHECK(findings[1].message.find("loop_order: the two inner loops exchanged") != std::string::npos);
  CHECK(findings[1].message.find("(4 times the step before)") != std::string::npos);
  CHECK(findings[3].code == "library-held-back");
  CHECK(findings[3].message.ends_with(": ONEDNN_MAX_CPU_ISA=SSE41"));
  CHECK(findings[3].records.size() == 1);
  CHECK(*value_of(all[1], "share_of_library") == Approx(0.8));
  CHECK(*value_of(all[2], "times_f32") == Approx(0.5));
  CHECK(*value_of(all[3], "times_f32") == Approx(2.0));
  CHECK(*value_of(all[4], "share_of_library") == Approx(0.025));
  CHECK(*value_of(all[5], "gain") == Approx(4.0));
  CHECK_FALSE(value_of(all[0], "share_of_library"));
  CHECK(all[0].metric("flops")->percent_of_peak == Approx(80.0));
  CHECK_FALSE(all[2].metric("flops")->peak);
  const auto lines = bg::key_figures(all);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "gemm cpu 512³: f32 100 GFLOP/s, f64 50 GFLOP/s, int8 200 GOP/s");
  CHECK(bg::conclude({}).empty());
}
