// Attention's GPU kernels on the reference machine: right at sequences that fit no tile in every order, doing exactly
// the work that is stated, with the traffic that the FlashAttention paper derives.
#include <catch2/catch.hpp>

#include "bench/fusion/cuda_attention.hpp"
#include "bench/harness/misstated.hpp"
#include "bench/harness/proof.hpp"
#include "kernels/attention/attention_image.hpp"
#include "kernels/ptx/testing/one_gpu.hpp"

using namespace ridge;
using namespace ridge::bench;
using attention::Shape;
using device::cuda::Image;
using ptx::testing::OneGpu;

namespace {

struct Prepared {
  Prepared(OneGpu& gpu, const Shape& shape, bool is_fused, const Image& image = attention::attention_image,
           Fill fill = Fill::random)
      : arena(gpu.device().make_arena(16 << 20)),
        context{gpu.device(), *arena, 1, fill},
        one(context, shape, is_fused, image) {}
  std::unique_ptr<device::Arena> arena;
  CudaContext context;
  bench::fusion::CudaAttention one;
};

template <class Body>
void each_case(const std::vector<std::int64_t>& sequences, const Body& body) {
  for (const bool is_fused : {false, true})
    for (const std::int64_t head : {64, 128})
      for (const bool causal : {false, true})
        for (const std::int64_t sequence : sequences) {
          const Shape shape{sequence < 40 ? 2 : 1, sequence, head, causal};
          CAPTURE(is_fused, head, causal, sequence);
          body(shape, is_fused);
        }
}

double counted_bytes(OneGpu& gpu, const Shape& shape, bool is_fused) {
  Prepared prepared(gpu, shape, is_fused);
  const auto counted = gpu.count([&] { prepared.one.run(1); });
  return static_cast<double>(counted.bytes_read + counted.bytes_written);
}

}  // namespace

TEST_CASE("both forms of attention are right on the GPU path, whatever the order of warps and blocks") {
  OneGpu gpu;
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    gpu.order(order);
    each_case({1, 33, 65}, [&](const Shape& shape, bool is_fused) {
      Prepared prepared(gpu, shape, is_fused, attention::attention_image,
                        order == ptx::Order::reverse ? Fill::zero : Fill::random);
      const auto verified = prepared.one.verify();
      CHECK(verified.reason.empty());
      REQUIRE(verified.status == record::Check::passed);
      CHECK(verified.checked == 2 * shape.heads * shape.sequence * shape.head);
    });
  }
}

TEST_CASE("attention moves and computes what is stated, and one access or operation more or less is seen") {
  OneGpu gpu(1);
  each_case({1, 32, 33, 64, 130}, [&](const Shape& shape, bool is_fused) {
    Prepared prepared(gpu, shape, is_fused);
    const auto counted = gpu.count([&] { prepared.one.run(1); });
    const auto work = prepared.one.work().value();
    const auto besides = prepared.one.besides_work();
    CHECK(prove(work, besides, counted).difference == std::string());
    CHECK(counted.launches == (is_fused ? 1 : 3));
    for (const record::Work& wrong : fake::misstated(work, 4, 1)) CHECK_FALSE(prove(wrong, besides, counted).proven);
  });
}

TEST_CASE("counted traffic is that of the FlashAttention paper's formulas") {
  OneGpu gpu;
  // Bytes of one head: materialised 4·(4N² of passes + 2N²d/64 of square tiles' operands + N²d/64 of values + Nd of
  // out); tiled 4·(2N²d/rows + 2Nd), rows·d being what shared memory holds: N²d²/M.
  for (const std::int64_t d : {64, 128})
    for (const std::int64_t n : {128, 256}) {
      CAPTURE(d, n);
      const double square = static_cast<double>(n * n), array = static_cast<double>(n * d);
      const Shape shape{1, n, d, false};
      CHECK(counted_bytes(gpu, shape, false) == 4 * (4 * square + 3 * square * static_cast<double>(d) / 64 + array));
      CHECK(counted_bytes(gpu, shape, true) ==
            4 * (2 * square * static_cast<double>(d) / static_cast<double>(attention::tiled_rows(d)) + 2 * array));
      CHECK(counted_bytes(gpu, shape, false) == static_cast<double>(attention::materialised_bytes(shape)));
      CHECK(counted_bytes(gpu, shape, true) == static_cast<double>(attention::tiled_bytes(shape)));
    }
}

TEST_CASE("a row of scores that the softmax kernel cannot hold is absent with a reason, materialised only") {
  OneGpu gpu;
  const auto arena = gpu.device().make_arena(std::int64_t{200} << 20);
  CudaContext context{gpu.device(), *arena, 1, Fill::random};
  CHECK_THROWS_AS(bench::fusion::CudaAttention(context, {1, 4097, 64, false}, false, attention::attention_image),
                  device::Absent);
  CHECK_NOTHROW(bench::fusion::CudaAttention(context, {1, 4097, 64, false}, true, attention::attention_image));
}

TEST_CASE("no thread of an attention kernel spills") {
  int seen = 0;
  for (const auto& kernel : device::cuda::parse_resources(attention::attention_image.resources_text())) {
    CAPTURE(kernel.kernel);
    CHECK(kernel.spill_loads == 0);
    ++seen;
  }
  CHECK(seen >= 7);
}
