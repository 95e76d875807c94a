// A product with what follows it: work by paper, every side verified on the CPU, wrong results refused, predictions
// that follow their constants.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "bench/fusion/analysis.hpp"
#include "bench/fusion/epilogue.hpp"
#include "bench/fusion/judging.hpp"
#include "kernels/fused/reference.hpp"
#include "tests/support/skip.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bf = ridge::bench::fusion;
using bf::EpilogueInputs;
using bf::EpilogueNumbers;
using bf::EpilogueShape;
using Catch::Contains;

namespace {

using I = std::int64_t;
const std::vector<std::string> all_steps{"bias", "bias_relu", "bias_gelu", "bias_residual", "bias_gelu_residual"};

record::Point point_of(const std::string& steps, const std::string& side, I m, I n, I k, I threads = 2) {
  record::Point point;
  point.set("epilogue", steps);
  point.set("side", side);
  point.set("m", m), point.set("n", n), point.set("k", k);
  point.set("threads", threads);
  return point;
}

// C as it should be, with one mistake.
struct Mistake {
  const char* name;
  I k_off = 0, bias_off = 0, residual_off = 0;
  bool no_activation = false, residual_first = false, rows_exchanged = false;
};

std::vector<float> computed(const EpilogueShape& s, const EpilogueNumbers& numbers, const Mistake& mistake) {
  std::vector<float> c(static_cast<std::size_t>(s.m * s.n));
  for (I i = 0; i < s.m; ++i)
    for (I j = 0; j < s.n; ++j) {
      double x = 0;
      const I row = mistake.rows_exchanged ? i ^ 1 : i;
      for (I l = 0; l < s.k + mistake.k_off; ++l)
        x += static_cast<double>(numbers.a(row, l)) * static_cast<double>(numbers.b(l, j));
      x += static_cast<double>(numbers.bias((j + mistake.bias_off) % s.n));
      const auto residual = static_cast<double>(numbers.residual(i, (j + mistake.residual_off) % s.n));
      if (mistake.residual_first) x += residual;
      if (!mistake.no_activation) x = fused::gelu(x);
      if (!mistake.residual_first) x += residual;
      c[static_cast<std::size_t>(i * s.n + j)] = static_cast<float>(x);
    }
  return c;
}

I wrong(const EpilogueShape& s, EpilogueInputs inputs, const Mistake& mistake, bool loose,
        void (*spoil)(float*) = nullptr) {
  const EpilogueNumbers numbers(s, 1, inputs, loose);
  std::vector<float> c = computed(s, numbers, mistake);
  if (spoil != nullptr) spoil(c.data());
  stream::Check found;
  numbers.check(found, c.data(), 0, s.m);
  return found.wrong;
}

record::Record timed(const std::string& side, I m, double seconds, const std::string& level) {
  record::Record r;
  r.benchmark = bf::epilogue_name;
  r.device = "cpu";
  r.point = point_of("bias_gelu", side, m, 1000, 100);
  r.status = record::Status::ok;
  r.work = bf::epilogue_work(bf::epilogue_shape(r.point));
  r.statistics.median = seconds;
  r.method.level = level;
  return r;
}

}  // namespace

TEST_CASE("a product's work is its matrices once, and C twice more for each pass") {
  const auto work = [](const std::string& steps, const std::string& side) {
    return bf::epilogue_work(bf::epilogue_shape(point_of(steps, side, 10, 20, 30)));
  };
  const I matrices = 4 * (10 * 30 + 30 * 20), c = 4 * 10 * 20;
  CHECK(*work("bias_gelu", "product").bytes_read == matrices);
  CHECK(*work("bias_gelu", "fused").bytes_read == matrices);
  CHECK(*work("bias_gelu", "fused").bytes_written == c);
  CHECK(*work("bias_gelu", "unfused").bytes_read == matrices + 2 * c);
  CHECK(*work("bias_gelu", "unfused").bytes_written == 3 * c);
  CHECK(*work("bias_gelu_residual", "fused").bytes_read == matrices + c);
  CHECK(*work("bias_gelu_residual", "unfused").bytes_read == matrices + 4 * c);
  CHECK(*work("bias_gelu_residual", "product").bytes_read == matrices);
  CHECK(*work("bias_residual", "unfused").bytes_read == matrices + 3 * c);
  CHECK(*work("bias_residual", "unfused").bytes_written == 3 * c);
  CHECK(*work("bias_residual", "fused").operations == 2 * 10 * 20 * 30 + 2 * 200);
  CHECK(*work("bias", "product").operations == 2 * 10 * 20 * 30);
  CHECK(*work("bias_relu", "fused").operations == 2 * 10 * 20 * 30 + 2 * 200);
}

TEST_CASE("every side of a product with what follows it is verified on the CPU, before and after being run") {
  const auto device = device::cpu::make_device();
  for (const std::string& steps : all_steps)
    for (const std::string side : {"product", "unfused", "library", "fused"})
      for (const auto& [m, n, k, threads] : {std::tuple{1, 1, 1, 1}, {35, 50, 70, 2}, {128, 33, 17, 2}}) {
        const auto point = point_of(steps, side, m, n, k, threads);
        CAPTURE(point.to_text());
        I needed = 0;
        for (const I bytes : bf::epilogue_buffers(point)) needed += device::borrow_cost(bytes);
        const auto arena = device->make_arena(needed);
        CpuContext context{*device, *arena, 1, m == 128 ? Fill::zero : Fill::random};
        std::unique_ptr<Case> prepared;
        try {
          prepared = bf::prepare_cpu_epilogue(context, point);
        } catch (const device::Absent& absent) {
          return test::skip(std::string("needs oneDNN: ") + absent.what());
        }
        for (int round = 0; round < 2; ++round) {
          const auto verified = prepared->verify();
          CHECK(verified.reason.empty());
          CHECK(verified.status == record::Check::passed);
          CHECK(verified.checked >= m * n);
          prepared->run(2);
        }
        CHECK_THAT(prepared->work()->counting, Contains("; by oneDNN 2.") && Contains(", kernels "));
      }
}

TEST_CASE("results with one mistake are refused, by exact numbers or by random ones") {
  const EpilogueShape shape = bf::epilogue_shape(point_of("bias_gelu_residual", "fused", 12, 33, 50));
  const auto exact = EpilogueInputs::exact, random = EpilogueInputs::random;
  for (const bool loose : {false, true})
    for (const EpilogueInputs inputs : {exact, random}) CHECK(wrong(shape, inputs, {"none"}, loose) == 0);
  const Mistake mistakes[] = {
      {"the last step of k left out", -1},
      {"the next column's bias", 0, 1},
      {"the next column's residual", 0, 0, 1},
      {"no activation", 0, 0, 0, true},
      {"the residual added before the activation", 0, 0, 0, false, true},
      {"rows of A exchanged", 0, 0, 0, false, false, true},
  };
  int killed = 0;
  for (const Mistake& mistake : mistakes) {
    CAPTURE(mistake.name);
    CHECK(wrong(shape, exact, mistake, true) > 0);
    CHECK(wrong(shape, random, mistake, true) > 0);
    ++killed;
  }
  // Any entry a little off; the last one not written.
  CHECK(wrong(shape, exact, {"none"}, false, [](float* c) { c[100] *= 1.0001F; }) == 1);
  CHECK(wrong(shape, exact, {"none"}, true, [](float* c) { c[100] += 0.02F; }) == 1);
  CHECK(wrong(shape, exact, {"none"}, true, [](float* c) { c[12 * 33 - 1] = NAN; }) == 1);
  std::cout << killed + 3 << " of " << std::size(mistakes) + 3 << " wrong results refused\n";
}

TEST_CASE("a product's speed-up is predicted from the product alone, this run's bandwidth and arithmetic in a cache") {
  constexpr double bandwidth = 20e9, product = 0.010;
  const double array = 4.0 * 8000 * 1000 / bandwidth;
  record::Record chain;
  chain.benchmark = "fusion.chain";
  chain.device = "cpu";
  chain.point.set("ops", I{1});
  chain.point.set("side", std::string("fused"));
  chain.point.set("threads", I{2});
  chain.status = record::Status::ok;
  chain.statistics.median = 1;
  chain.method.level = "memory";
  chain.metrics.push_back({"bandwidth", bandwidth, record::Unit::bytes_per_second, record::Better::higher, {}, {}});
  for (const double each : {1e-10, 2e-9}) {  // seconds that an entry's epilogue takes in a cache
    std::vector<record::Record> records{chain,
                                        timed("product", 8000, product, "memory"),
                                        timed("unfused", 8000, product + 5 * array, "memory"),
                                        timed("fused", 8000, product + array, "memory"),
                                        timed("product", 100, 1e-4, "L2"),
                                        timed("unfused", 100, 1e-4 + each * 100 * 1000, "L2"),
                                        timed("fused", 100, 1e-4 + each / 2 * 100 * 1000, "L2")};
    bf::conclude(records);
    const double arithmetic = each * 8000 * 1000;
    const double unfused = product + std::max(4 * array, arithmetic), fused = product + arithmetic / 2;
    CHECK(records[2].metric("predicted_time")->value == Approx(unfused));
    CHECK(records[3].metric("predicted_time")->value == Approx(fused));
    CHECK(records[3].metric("predicted_speedup")->value == Approx(unfused / fused));
    CHECK(records[3].metric("speedup")->value == Approx((product + 5 * array) / (product + array)));
    CHECK(records[1].metric("predicted_time") == nullptr);
    // By the library's passes, if those are faster.
    records.push_back(timed("library", 8000, product + 3 * array, "memory"));
    std::vector<record::Record> again(records);
    for (record::Record& r : again)
      std::erase_if(r.metrics, [](const record::Metric& metric) { return metric.name != "bandwidth"; });
    bf::conclude(again);
    CHECK(again[3].metric("speedup")->value == Approx((product + 3 * array) / (product + array)));
    CHECK_THAT(bf::key_figures(records).at(0), Contains("product + bias_gelu of 8000 "));
  }
}
