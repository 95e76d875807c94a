// What sums are kept in, through cuBLASLt's whole path on a reference GPU: f16 of f16 where it is asked for and refused
// where f32 was, long sums with random signs, and rates that are compared whatever the sums.
#include <catch2/catch.hpp>

#include "bench/gemm/analysis.hpp"
#include "bench/gemm/cuda_library_machine.hpp"
#include "bench/harness/lookup.hpp"
#include "bench/harness/proof.hpp"

using namespace ridge;
using namespace ridge::bench;
using bench::gemm::call_with;
using bench::gemm::halved;
using bench::gemm::Machine;
using bench::gemm::point_of;
using bench::gemm::scaled;
namespace bg = ridge::bench::gemm;

namespace {

record::Point with(record::Point point, const char* axis, const std::string& value) {
  point.set(axis, value);
  return point;
}

record::Point half_sums(std::int64_t m, std::int64_t n, std::int64_t k, const std::string& layout = "nn",
                        std::int64_t batch = 1) {
  return with(halved(point_of("f16", m, n, k, layout, batch)), "accumulation", "half");
}

const std::uint16_t one = 0x3C00, none = 0;  // of f16

void in_f16(cublaslt::Table& wrong, const cublaslt::Table& right) {
  wrong.MatmulDescCreate = [create = right.MatmulDescCreate](auto out, auto, auto) {
    return create(out, CUBLAS_COMPUTE_16F, CUDA_R_16F);
  };
  call_with([](auto& all) {
    std::get<2>(all) = &one;
    std::get<7>(all) = &none;
  })(wrong, right);
}

}  // namespace

TEST_CASE("f16 with sums in f16 is asked for as such, verified in every layout, with a beta, and its work is proven") {
  Machine machine;
  int seen = 0;
  for (const std::string layout : {"nn", "nt", "tn", "tt"})
    for (const std::string beta : {"0", "0.5"}) {
      const auto point = with(half_sums(19, 70, 133, layout, 2), "beta", beta);
      CAPTURE(point.to_text());
      REQUIRE_FALSE(bg::unsupported(point));
      machine.with_case(point, [&](Case& prepared) {
        const auto verified = prepared.verify();
        CHECK(verified.reason == "every entry compared with f64, and exactly on whole numbers");
        REQUIRE(verified.status == record::Check::passed);
        const auto counted = machine.gpu.count([&] { prepared.run(1); });
        CHECK(prove(*prepared.work(), prepared.besides_work(), counted).difference.empty());
        CHECK(prepared.work()->counting.find("; alpha 1, beta " + beta + "; workspace of ") != std::string::npos);
        ++seen;
      });
    }
  CHECK(seen == 8);
  CHECK(machine.library.left().empty());
  machine.library.fail("cublasLtMatmul", 1, CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK(machine.error(half_sums(8, 8, 8)) ==
        "cublasLtMatmul: CUBLAS_STATUS_EXECUTION_FAILED (13): m 8, n 8, k 8, f16·f16 → f16 (sums in f16), layout nn, "
        "batch 1 on ptx:0");
}

TEST_CASE("sums in f16 are wrong where f32 was asked for, and right where they were asked for") {
  CHECK(bg::refused(halved(point_of("f16", 24, 24, 512)), in_f16));
  CHECK_FALSE(bg::refused(half_sums(24, 24, 512), in_f16));
  CHECK_FALSE(bg::refused(halved(point_of("f16", 24, 24, 512)), [](auto&, const auto&) {}));
  static const std::uint16_t nearly = 0x3C01;
  CHECK(bg::refused(half_sums(24, 24, 16), call_with([](auto& all) { std::get<2>(all) = &nearly; })));
}

TEST_CASE("sums in 16 bits are f16's alone, with C of 16 bits, on a GPU") {
  const char* const rule = "sums in 16 bits are f16's, of a C of f16: --output half";
  CHECK(bg::unsupported(with(point_of("f16", 8, 8, 8), "accumulation", "half")) == rule);
  for (const char* dtype : {"bf16", "f32", "f64"})
    CHECK(bg::unsupported(with(point_of(dtype, 8, 8, 8), "accumulation", "half")) == rule);
  CHECK(bg::unsupported(with(halved(point_of("bf16", 8, 8, 8)), "accumulation", "half")) == rule);
  CHECK_FALSE(bg::unsupported(half_sums(8, 8, 8)));
  CHECK_FALSE(bg::question_of(with(halved(point_of("f16", 8, 8, 8)), "accumulation", "full")).half_sums);
  auto on_cpu = with(half_sums(8, 8, 8), "engine", "library");
  on_cpu.set("threads", std::int64_t{2});
  CHECK(bg::unsupported(on_cpu) == "no library that is known here keeps sums in 16 bits on a CPU");
}

TEST_CASE("sums of 16384 products with random signs pass, of bf16 and of f16, kept in f32") {
  Machine machine;
  for (const char* dtype : {"bf16", "f16"})
    CHECK(machine.verified(point_of(dtype, 17, 18, 16384, "nt")).reason ==
          "every entry compared with f64, and exactly on whole numbers");
}

TEST_CASE("a GPU's rate is compared with f32's, whatever its sums are kept in") {
  std::vector<record::Record> all;
  const auto measured = [&](const char* benchmark, record::Point point, double flops) {
    record::Record r;
    r.benchmark = benchmark;
    r.device = "cuda:0";
    r.point = std::move(point);
    r.status = record::Status::ok;
    r.metrics.push_back({"flops", flops, record::Unit::flop_per_second, record::Better::higher, {}, {}});
    all.push_back(std::move(r));
  };
  measured("gemm.float", with(with(point_of("f32", 512, 512, 512), "accumulation", "full"), "engine", "library"),
           50e12);
  measured("gemm.float", with(half_sums(512, 512, 512), "engine", "library"), 800e12);
  measured("gemm.fp8", scaled(point_of("e4m3", 512, 512, 512, "nt"), "fast", "none"), 1600e12);
  bg::conclude(all);
  CHECK(*value_of(all[1], "times_f32") == Approx(16));
  CHECK(*value_of(all[2], "times_f32") == Approx(32));
}
