// Every pair's GPU kernels on the reference machine: right at awkward sizes in every order, doing exactly the work that
// is stated; one access or operation more or less is seen.
#include <catch2/catch.hpp>

#include "bench/fusion/analysis.hpp"
#include "bench/fusion/cuda_case.hpp"
#include "bench/harness/misstated.hpp"
#include "bench/harness/proof.hpp"
#include "kernels/fused/fused_image.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bf = ridge::bench::fusion;
using bf::CudaCase;
using fused::Pair;
using ptx::testing::OneGpu;

namespace {

struct Prepared {
  Prepared(OneGpu& gpu, const fused::Facts& facts, bool is_fused, const CudaCase::Shape& shape,
           Fill fill = Fill::random)
      : arena(gpu.device().make_arena(8 << 20)),
        context{gpu.device(), *arena, 1, fill},
        one(context, facts, is_fused, shape, fused::fused_image) {}
  std::unique_ptr<device::Arena> arena;
  CudaContext context;
  CudaCase one;
};

// Calls body(facts, is_fused, shape) for rows and columns around a warp, a block and the most that a block holds; more
// rows than blocks, too.
template <class Body>
void each_case(const Body& body) {
  for (const fused::Facts& facts : fused::all_facts())
    for (const bool is_fused : {false, true})
      for (const auto& [rows, columns] :
           {std::pair{0, 1}, {1, 1}, {3, 31}, {2, 32}, {5, 33}, {1, 255}, {3, 257}, {20, 1001}, {2, 4096}})
        for (const int ops : {1, 3, 6}) {
          if (facts.pair != Pair::chain && ops != 1) continue;
          const CudaCase::Shape shape{rows, columns, ops};
          CAPTURE(facts.name, is_fused, rows, columns, ops);
          body(facts, is_fused, shape);
        }
}

}  // namespace

TEST_CASE("both forms of every pair are right on the GPU path, whatever the order of warps and blocks") {
  OneGpu gpu;
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    gpu.order(order);
    each_case([&](const fused::Facts& facts, bool is_fused, const CudaCase::Shape& shape) {
      Prepared prepared(gpu, facts, is_fused, shape, order == ptx::Order::reverse ? Fill::zero : Fill::random);
      const auto verified = prepared.one.verify();
      CHECK(verified.reason.empty());
      REQUIRE(verified.status == record::Check::passed);
      CHECK(verified.checked == (facts.pair == Pair::cross_entropy ? shape.rows : shape.rows * shape.columns));
      if (order != ptx::Order::forward) return;
      prepared.one.run(2);
      CHECK(prepared.one.verify().status == record::Check::passed);
    });
  }
}

TEST_CASE("bytes and operations are those that are stated, and one more or less is seen") {
  OneGpu gpu(1);
  each_case([&](const fused::Facts& facts, bool is_fused, const CudaCase::Shape& shape) {
    Prepared prepared(gpu, facts, is_fused, shape);
    const auto counted = gpu.count([&] { prepared.one.run(1); });
    const auto work = prepared.one.work().value();
    const auto besides = prepared.one.besides_work();
    CHECK(prove(work, besides, counted).difference == std::string());
    for (const record::Work& wrong : fake::misstated(work, 4, 1)) CHECK_FALSE(prove(wrong, besides, counted).proven);
    const std::int64_t passes = facts.pair == Pair::chain ? shape.ops : facts.passes;
    CHECK(counted.launches == (is_fused ? 1 : passes));
  });
}

TEST_CASE("the bytes of both sides have the ratio that is predicted on paper") {
  OneGpu gpu;
  const auto bytes = [&](const fused::Facts& facts, bool is_fused, int ops) {
    Prepared prepared(gpu, facts, is_fused, {200, 4096, ops});
    const auto counted = gpu.count([&] { prepared.one.run(1); });
    return static_cast<double>(counted.bytes_read + counted.bytes_written);
  };
  const std::map<Pair, double> on_paper{{Pair::bias_gelu, 7.0 / 3},        {Pair::softmax, 5.0 / 2},
                                        {Pair::rmsnorm, 6.0 / 3},          {Pair::layernorm, 7.0 / 3},
                                        {Pair::cross_entropy, 4.0},        {Pair::chain, 4.0},
                                        {Pair::bias_gelu_dropout, 9.0 / 3}};
  for (const fused::Facts& facts : fused::all_facts()) {
    CAPTURE(facts.name);
    // What is as long as a row, and what every thread reads of a row, adds some percent.
    CHECK(bytes(facts, false, 4) / bytes(facts, true, 4) == Approx(on_paper.at(facts.pair)).epsilon(0.06));
  }
}

TEST_CASE("a thread of a fused kernel has registers for its share of a row and spills none") {
  int seen = 0;
  for (const auto& kernel : device::cuda::parse_resources(fused::fused_image.resources_text())) {
    CAPTURE(kernel.kernel);
    CHECK(kernel.spill_loads == 0);
    if (kernel.kernel == "fused_layernorm") CHECK(kernel.registers >= 3 * fused::row_places);
    ++seen;
  }
  CHECK(seen >= 20);
}

TEST_CASE("without a clock the predicted speed-up is the ratio of proven bytes") {
  const auto counted = [](const std::string& side, int proven) {
    record::Record r;
    r.benchmark = "fusion.softmax";
    r.device = "ptx:0";
    r.point.set("side", side);
    r.point.set("size", std::int64_t{1} << 20);
    r.status = record::Status::ok;
    r.work = bf::work(fused::facts_of(Pair::softmax), r.point);
    const auto told = [&](const char* name, std::int64_t value) {
      r.metrics.push_back({name, static_cast<double>(value), record::Unit::count, record::Better::neither, {}, {}});
    };
    told("work_proven", proven);
    told("counted_bytes_read", *r.work.bytes_read + (1 << 19));  // half of x again: maxima and sums of rows
    told("counted_bytes_written", *r.work.bytes_written);
    return r;
  };
  std::vector<record::Record> records{counted("unfused", 1), counted("fused", 1)};
  CHECK(bf::conclude(records).empty());
  CHECK(records[1].metric("predicted_speedup")->value == Approx(5.5 / 2.5));
  CHECK(records[1].metric("byte_ratio")->value == Approx(5.5 / 2.5));
  CHECK(records[1].metric("predicted_byte_ratio")->value == Approx(2.5));
  CHECK(records[1].metric("speedup") == nullptr);
  CHECK(records[0].metric("predicted_speedup") == nullptr);
  REQUIRE(bf::key_figures(records).size() == 1);
  CHECK(bf::key_figures(records)[0] == "fused ptx:0 by bytes counted: softmax 2.2x");
  std::vector<record::Record> unproven{counted("unfused", 0), counted("fused", 1)};
  bf::conclude(unproven);
  CHECK(unproven[1].metric("predicted_speedup") == nullptr);
  CHECK(bf::key_figures(unproven).empty());
}
