// Attention by cuBLASLt's products on a reference GPU, the library played by its stand-in: right, causal or not, doing
// exactly the work that is stated, and its absence told.
#include <catch2/catch.hpp>

#include "bench/fusion/analysis.hpp"
#include "bench/fusion/cuda_attention.hpp"
#include "bench/harness/misstated.hpp"
#include "bench/harness/proof.hpp"
#include "kernels/attention/attention_image.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

#if __has_include(<cublasLt.h>)
#include "kernels/ptx/cublaslt/stand_in.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bf = ridge::bench::fusion;
using attention::Shape;
using ptx::testing::OneGpu;

TEST_CASE("attention by a library's products is right on the GPU path, and moves and computes what is stated") {
  OneGpu gpu(1);
  const ptx::CublasLt library(gpu.device().driver());
  for (const Shape& shape : {Shape{2, 1, 64, false}, {2, 33, 64, false}, {2, 33, 128, true}, {1, 70, 64, true}}) {
    CAPTURE(shape.heads, shape.sequence, shape.head, shape.causal);
    const auto arena = gpu.device().make_arena(std::int64_t{64} << 20);
    CudaContext context{gpu.device(), *arena, 1, shape.sequence == 1 ? Fill::zero : Fill::random};
    const auto one = bf::make_cuda_library_attention(context, shape, library.table(), attention::attention_image);
    for (int round = 0; round < 2; ++round) {
      const auto verified = one->verify();
      CHECK(verified.reason.empty());
      REQUIRE(verified.status == record::Check::passed);
      CHECK(verified.checked == 2 * shape.heads * shape.sequence * shape.head);
      if (round == 0) one->run(1);  // from what is left in the scores
    }
    const auto counted = gpu.count([&] { one->run(1); });
    const auto work = one->work().value();
    const auto besides = one->besides_work();
    CHECK(prove(work, besides, counted).difference == std::string());
    CHECK(counted.launches == 3);
    for (const record::Work& wrong : fake::misstated(work, 4, 1)) CHECK_FALSE(prove(wrong, besides, counted).proven);
    CHECK(work.counting.find("; by ") != std::string::npos);
  }
  CHECK(library.left().empty());
}

TEST_CASE("a call of the library that fails in attention is told, and a row too long for the softmax is absent") {
  OneGpu gpu;
  ptx::CublasLt library(gpu.device().driver());
  const auto arena = gpu.device().make_arena(std::int64_t{200} << 20);
  CudaContext context{gpu.device(), *arena, 1, Fill::random};
  const auto make = [&](std::int64_t n) {
    return bf::make_cuda_library_attention(context, {1, n, 64, false}, library.table(), attention::attention_image);
  };
  CHECK_THROWS_AS(make(4097), device::Absent);
  library.fail("cublasLtMatmulAlgoGetHeuristic", 2, CUBLAS_STATUS_INVALID_VALUE);
  CHECK_THROWS_WITH(make(40), Catch::Contains("cublasLtMatmulAlgoGetHeuristic") && Catch::Contains("n 64, k 40"));
}

TEST_CASE("the bytes counted of attention stand beside the paper's formula, and their ratio beside no clock") {
  const auto counted = [](const std::string& side, double read, double written) {
    record::Record r;
    r.benchmark = bf::attention_name;
    r.device = "ptx:0";
    r.point.set("side", side);
    r.point.set("head", std::string("64"));
    r.point.set("causal", std::string("no"));
    r.point.set("heads", std::int64_t{1});
    r.point.set("sequence", std::int64_t{128});
    r.status = record::Status::ok;
    r.work = bf::attention_work(r.point);
    const auto told = [&](const char* name, double value) {
      r.metrics.push_back({name, value, record::Unit::count, record::Better::neither, {}, {}});
    };
    told("work_proven", 1), told("counted_bytes_read", read), told("counted_bytes_written", written);
    return r;
  };
  std::vector<record::Record> records{counted("unfused", 400000, 200000), counted("library", 300000, 200000),
                                      counted("fused", 100000, 50000)};
  bf::conclude(records);
  CHECK(records[0].metric("bytes_moved")->value == 600000);
  CHECK(records[0].metric("predicted_bytes_moved")->value == 4 * (4 * 128 * 128 + 3 * 128 * 128 + 128 * 64));
  CHECK(records[1].metric("predicted_bytes_moved")->value == 4 * (4 * 128 * 128 + 4 * 128 * 64));
  CHECK(records[2].metric("predicted_bytes_moved")->value == 4 * (2 * 128 * 128 + 2 * 128 * 64));
  CHECK(records[2].metric("predicted_speedup")->value == Approx(4));
  CHECK(records[0].metric("predicted_speedup") == nullptr);
}

#endif
