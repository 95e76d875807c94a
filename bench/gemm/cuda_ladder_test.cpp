// The GPU's ladder on the reference machine: right at sizes that fit no tile, in every order of warps and blocks, with
// exactly the loads and operations of the formula.
#include <catch2/catch.hpp>

#include <iostream>

#include "bench/gemm/analysis.hpp"
#include "bench/gemm/cuda_case.hpp"
#include "bench/harness/proof.hpp"
#include "kernels/gemm/gemm_kernels.hpp"
#include "kernels/gemm/pipelined_image.hpp"
#include "kernels/gemm/tensor_image.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

using namespace ridge;
using namespace ridge::bench;
using ptx::testing::OneGpu;
namespace bg = ridge::bench::gemm;
namespace rg = ridge::gemm;

namespace {

struct Shape {
  std::int64_t m, n, k;
};

record::Point rung_point(const std::string& rung, const Shape& shape) {
  record::Point p;
  p.set("rung", rung);
  p.set("m", shape.m);
  p.set("n", shape.n);
  p.set("k", shape.k);
  return p;
}

// `use` is given the case made ready, on memory that holds no more than the point declares.
template <class Use>
void with_case(OneGpu& gpu, const record::Point& point, Fill fill, const Use& use) {
  std::int64_t needed = 0;
  for (const std::int64_t bytes : bg::buffers(point)) needed += device::borrow_cost(std::max<std::int64_t>(bytes, 1));
  const auto arena = gpu.device().make_arena(needed);
  CudaContext context{gpu.device(), *arena, 1, fill};
  const auto prepared = bg::prepare_cuda(context, point);
  use(*prepared);
}

}  // namespace

TEST_CASE("every step on the GPU is right at awkward sizes, whatever the order of warps and blocks") {
  OneGpu gpu;
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    gpu.order(order);
    for (const rg::GpuStep& step : rg::gpu_steps)
      for (const Shape& shape : std::vector<Shape>{
               {1, 1, 1}, {31, 33, 1}, {33, 31, 65}, {1, 130, 33}, {130, 8, 24}, {0, 5, 5}, {5, 0, 5}, {33, 5, 0}}) {
        CAPTURE(step.kernel.name, shape.m, shape.n, shape.k, static_cast<int>(order));
        const Fill fill = order == ptx::Order::reverse ? Fill::zero : Fill::random;
        with_case(gpu, rung_point(std::string(step.name), shape), fill, [&](Case& prepared) {
          const auto verified = prepared.verify();
          CHECK(verified.status == record::Check::passed);
          CHECK(verified.checked == shape.m * shape.n);
          if (shape.m * shape.n == 0) return;
          CHECK(verified.reason == "every entry compared with f64, and exactly on whole numbers");
          prepared.run(2);
          gpu.device().stream().synchronize();
        });
      }
  }
}

TEST_CASE("stated work is what the steps execute, not one load or operation more or less") {
  OneGpu gpu;
  for (const rg::GpuStep& step : rg::gpu_steps)
    for (const Shape& shape : std::vector<Shape>{{1, 1, 1}, {33, 31, 65}, {130, 136, 24}, {33, 5, 0}}) {
      CAPTURE(step.kernel.name, shape.m, shape.n, shape.k);
      const auto point = rung_point(std::string(step.name), shape);
      with_case(gpu, point, Fill::random, [&](Case& prepared) {
        const auto counted = gpu.count([&] { prepared.run(1); });
        CHECK(counted.launches == 1);
        const auto work = *prepared.work();
        CHECK(*work.operations == 2 * shape.m * shape.n * shape.k);
        CHECK(prove(work, prepared.besides_work(), counted).difference.empty());
        for (const std::int64_t off : {-2, 2})
          for (const auto part : {&record::Work::bytes_read, &record::Work::bytes_written, &record::Work::operations}) {
            auto wrong = work;
            *(wrong.*part) += off;
            CHECK_FALSE(prove(wrong, prepared.besides_work(), counted).proven);
          }
      });
    }
}

TEST_CASE("a tile of T reads 2·n³/T elements and computes 2·n³: counted beside the formula") {
  OneGpu gpu;
  constexpr std::int64_t n = 128;
  const std::map<std::string, std::int64_t> tiles{{"naive", 1},       {"coalesced", 1},   {"tiled", 32},
                                                  {"registers", 128}, {"pipelined", 128}, {"warps", 128},
                                                  {"mma", 128}};
  std::map<std::string, device::Counted> all;
  for (const rg::GpuStep& step : rg::gpu_steps) {
    const std::string name(step.name);
    CAPTURE(name);
    const std::int64_t tile = tiles.at(name), loads = 2 * n * n * n / tile;
    with_case(gpu, rung_point(name, {n, n, n}), Fill::random, [&](Case& prepared) {
      const auto counted = gpu.count([&] { prepared.run(1); });
      const std::int64_t counted_loads = counted.bytes_read / (step.bf16 ? 2 : 4);
      std::cout << name << ", n = " << n << ": counted " << counted_loads << " loads (2·n³/" << tile << " = " << loads
                << "), " << counted.flops << " operations (2·n³ = " << 2 * n * n * n << ")\n";
      CHECK(counted_loads == loads);
      CHECK(counted.flops == 2 * n * n * n);
      CHECK(counted.bytes_written == n * n * 4);
      all[name] = counted;
    });
  }
  // What the steps are called after: a row apart is a line each, and numbers that are used again are not read again.
  const auto sectors = [&](const char* name) {
    return static_cast<double>(all[name].sectors) / static_cast<double>(all[name].requests);
  };
  CHECK(sectors("naive") > 15);
  CHECK(sectors("coalesced") < 3);
  CHECK(all["registers"].shared_bytes_read * 4 < all["tiled"].shared_bytes_read);
  const std::int64_t stores = n * n / 32;  // requests that store one word a lane
  CHECK(all["registers"].requests - stores == 4 * (all["pipelined"].requests - stores));
  CHECK(all["mma"].instructions * 4 < all["warps"].instructions);
}

TEST_CASE("the operations of the last step are the matrix units', of bf16") {
  OneGpu gpu;
  with_case(gpu, rung_point("mma", {64, 64, 64}), Fill::random, [&](Case& prepared) {
    gpu.count([&] { prepared.run(1); });
    const auto notes = gpu.reference().launches();
    REQUIRE(notes.size() == 1);
    const auto& tensor = notes[0].counts.tensor_flops;
    CHECK(tensor[static_cast<std::size_t>(ptx::FlopType::bf16)] == notes[0].counts.total_flops());
  });
}

// What the compiler for the machine needs: sums that lie in memory would time memory. (Spills fail the build, too.)
TEST_CASE("a thread has registers for its sums") {
  int seen = 0;
  for (const auto* const image : {&rg::pipelined_image, &rg::tensor_image})
    for (const auto& kernel : device::cuda::parse_resources(image->resources_text())) {
      CHECK(kernel.registers >= 64 + 8);
      CHECK(kernel.spill_loads == 0);
      CHECK(kernel.shared <= 48 << 10);
      ++seen;
    }
  CHECK(seen >= 3);
}

TEST_CASE("a GPU's ladder is told as the CPU's: its formula beside the counts, gains and reasons") {
  std::vector<record::Record> all;
  for (const auto& [rung, flops] : {std::pair{"tiled", 2e12}, std::pair{"registers", 8e12}}) {
    record::Record r;
    r.benchmark = "gemm.ladder";
    r.device = "cuda:0";
    r.point = rung_point(rung, {256, 256, 256});
    r.status = record::Status::ok;
    r.metrics.push_back({"flops", flops, record::Unit::flop_per_second, record::Better::higher, {}, {}});
    all.push_back(std::move(r));
  }
  const auto findings = bg::conclude(all);
  REQUIRE(findings.size() == 2);
  CHECK(findings[1].message.starts_with("ladder cuda:0 registers: 8 × 8 elements of C a thread"));
  CHECK(findings[1].message.ends_with("(4 times the step before)"));
  CHECK(*all[0].metric("predicted_counted_bytes_read")->value == 2 * 256 * 256 * 256 / 32 * 4);
  CHECK(*all[0].metric("predicted_counted_operations")->value == 2 * 256 * 256 * 256);
  CHECK(all[1].metric("gain")->value == Approx(4));
  for (const auto& rung : bg::names_of(bg::rungs())) CHECK(std::string(bg::idea_of(bg::rungs(), rung)).size() > 20);
}
