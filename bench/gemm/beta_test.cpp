// C = A·B + beta·C on the CPU: libraries verified from a C that holds something, additions that are wrong refused, and
// what becomes of C from one repetition to the next.
#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>

#include "bench/gemm/analysis.hpp"
#include "bench/gemm/verified.hpp"
#include "bench/harness/lookup.hpp"
#include "tests/support/skip.hpp"

using namespace ridge;
using namespace ridge::bench;
using bench::gemm::float_point;
using bench::gemm::passed_or_absent;
using bench::gemm::verified;
namespace bg = ridge::bench::gemm;
namespace rg = ridge::gemm;

namespace {

record::Point with_beta(record::Point point, const std::string& beta) {
  point.set("beta", beta);
  return point;
}

// Sums in f32, one element after the other, to which `added` adds what it makes of the C before.
struct At {
  const rg::Problem& problem;
  const std::vector<float>& before;
  std::int64_t each, i, j;
  float product;

  [[nodiscard]] float old(std::int64_t of_each, std::int64_t row, std::int64_t column) const {
    return before[static_cast<std::size_t>((of_each * problem.m + row) * problem.n + column)];
  }
  [[nodiscard]] float beta() const { return static_cast<float>(problem.beta); }
};
using Added = float (*)(const At&);

class Plain final : public bg::Multiplier {
 public:
  Plain(Added added, const rg::Problem& problem, const rg::Pointers& pointers, device::Stream& stream)
      : added_(added), problem_(problem), pointers_(pointers), stream_(stream) {}
  void multiply(std::int64_t repetitions) override {
    const rg::Problem& p = problem_;
    auto* const c = static_cast<float*>(pointers_.c);
    const auto *const a = static_cast<const float*>(pointers_.a), *const b = static_cast<const float*>(pointers_.b);
    for (; repetitions > 0; --repetitions) {
      const std::vector<float> before(c, c + p.batch * p.m * p.n);
      for (std::int64_t each = 0; each < p.batch; ++each)
        for (std::int64_t i = 0; i < p.m; ++i)
          for (std::int64_t j = 0; j < p.n; ++j) {
            float sum = 0;
            for (std::int64_t l = 0; l < p.k; ++l) sum += a[(each * p.m + i) * p.k + l] * b[(each * p.k + l) * p.n + j];
            c[(each * p.m + i) * p.n + j] = added_({p, before, each, i, j, sum});
          }
    }
  }
  device::Stream& stream() override { return stream_; }
  [[nodiscard]] std::map<std::string, std::string> implementation() const override {
    return {{"library", "none"}, {"kernel", "plain"}};
  }

 private:
  Added added_;
  rg::Problem problem_;
  rg::Pointers pointers_;
  device::Stream& stream_;
};

record::Verification verified_with(Added added, const std::string& beta) {
  const auto point = with_beta(float_point("f32", 9, 10, 33, "nn", 2, "onednn", 1), beta);
  return verified(point, [&](CpuContext& context) {
    return bg::make_case(point, context, [&](const auto& question, const auto& pointers, auto& with) {
      return std::make_unique<Plain>(added, question.problem, pointers, with.device.team(1));
    });
  });
}

}  // namespace

TEST_CASE("libraries add beta·C in every layout, in batches, and start from the same C when they are verified again") {
  for (const std::string dtype : {"f64", "f32", "bf16", "int8"})
    for (const std::string engine : {"onednn", "openblas"})
      for (const std::string layout : {"nn", "nt", "tn", "tt"})
        for (const auto& [beta, batch] : {std::pair{"0.5", 1}, std::pair{"1", 2}}) {
          const auto point = with_beta(float_point(dtype, 37, 70, 33, layout, batch, engine), beta);
          if (bg::unsupported(point)) continue;
          const auto result = verified(point);
          INFO(point.to_text() << ": " << result.reason);
          CHECK(passed_or_absent(result));
          if (result.status == record::Check::passed) CHECK(result.checked == batch * 37 * 70);
        }
  const auto sampled = with_beta(float_point("f32", 60, 90, 40, "nt", 3, "library"), "0.5");
  CHECK(passed_or_absent(verified(
      sampled, [&](CpuContext& context) { return bg::make_case(sampled, context, bg::make_multiplier, 1000); })));
}

TEST_CASE("wrong additions to C are refused: the list and the count") {
  const auto right = [](const At& at) { return at.product + at.beta() * at.old(at.each, at.i, at.j); };
  for (const char* beta : {"0.5", "1"}) CHECK(verified_with(right, beta).status == record::Check::passed);
  int killed = 0, all = 0;
  const auto refuse = [&](const char* mistake, Added added, const char* beta = "0.5") {
    const bool refused = verified_with(added, beta).status == record::Check::failed;
    std::cout << (refused ? "killed: " : "SURVIVED: ") << mistake << "\n";
    CHECK(refused);
    ++all;
    killed += refused ? 1 : 0;
  };
  refuse("beta ignored", [](const At& at) { return at.product; });
  refuse(
      "a beta of 1 ignored", [](const At& at) { return at.product; }, "1");
  refuse("C added whole", [](const At& at) { return at.product + at.old(at.each, at.i, at.j); });
  refuse("the product multiplied too",
         [](const At& at) { return at.beta() * (at.product + at.old(at.each, at.i, at.j)); });
  refuse("beta applied twice",
         [](const At& at) { return at.product + at.beta() * at.beta() * at.old(at.each, at.i, at.j); });
  refuse("C subtracted", [](const At& at) { return at.product - at.beta() * at.old(at.each, at.i, at.j); });
  refuse("the neighbour added",
         [](const At& at) { return at.product + at.beta() * at.old(at.each, at.i, (at.j + 1) % at.problem.n); });
  refuse("the first C of the batch added to all",
         [](const At& at) { return at.product + at.beta() * at.old(0, at.i, at.j); });
  refuse("nothing added to the last row", [](const At& at) {
    return at.product + (at.i + 1 == at.problem.m ? 0 : at.beta() * at.old(at.each, at.i, at.j));
  });
  refuse("right on whole numbers only",
         [](const At& at) { return at.product + at.beta() * std::round(at.old(at.each, at.i, at.j)); });
  std::cout << killed << " of " << all << " wrong additions refused\n";
  CHECK(all == 10);
}

TEST_CASE("while time is taken C goes on, from ones, as the factor says") {
  for (const auto& [beta, want] : {std::pair{"0.5", 33 * 1.75F + 0.125F}, std::pair{"1", 3 * 33 + 1.F}}) {
    const auto point = with_beta(float_point("f32", 20, 21, 33, "nn", 1, "openblas"), beta);
    const auto device = device::cpu::make_device();
    const auto arena = device->make_arena(1 << 20);
    CpuContext context{*device, *arena, 1, Fill::ones};
    const float* c = nullptr;
    std::unique_ptr<Case> prepared;
    try {
      prepared = bg::make_case(point, context, [&](const auto& question, const auto& pointers, auto& with) {
        c = static_cast<const float*>(pointers.c);
        return bg::make_multiplier(question, pointers, with);
      });
    } catch (const device::Absent& absent) {
      return test::skip(absent.what());
    }
    CHECK(prepared->verify().status == record::Check::passed);
    CHECK(std::count(c, c + 20 * 21, 1.F) == 20 * 21);
    prepared->run(3);
    CHECK(std::count(c, c + 20 * 21, want) == 20 * 21);
  }
}

TEST_CASE("what a beta means: C is read, its factor is told, and who cannot is skipped with the rule") {
  const auto point = float_point("f32", 8, 16, 32, "nn", 3, "library");
  CHECK(*bg::work(with_beta(point, "0.5")).bytes_read == *bg::work(point).bytes_read + 3 * 8 * 16 * 4);
  CHECK(*bg::work(with_beta(point, "0")).bytes_read == *bg::work(point).bytes_read);
  CHECK(*bg::work(with_beta(point, "1")).operations == *bg::work(point).operations);
  CHECK(bg::work(with_beta(point, "1")).counting ==
        "2·m·n·k operations for each product of the batch, none for beta·C; A, B and C read once, C written once (the "
        "least that can move)");
  CHECK(bg::work(point).counting ==
        "2·m·n·k operations for each product of the batch; A and B read once, C written once (the least that can "
        "move)");
  CHECK(bg::question_of(with_beta(point, "0.5")).problem.beta == 0.5);
  CHECK(bg::multiplied_by({{"library", "x"}, {"kernel", "y"}, {"factors", "alpha 1, beta 0.5"}, {"packing", "z"}}) ==
        "; multiplied by x, kernel y, alpha 1, beta 0.5, packing z");
  const auto own = float_point("f32", 8, 8, 8, "nn", 1, "blocked");
  CHECK(bg::unsupported(with_beta(own, "1")) == "our own kernels compute A·B alone: beta·C is added by libraries");
  CHECK_FALSE(bg::unsupported(with_beta(own, "0")));
  auto half = float_point("f16", 8, 8, 8, "nn", 1, "library");
  half.set("output", std::string("half"));
  CHECK(bg::unsupported(with_beta(half, "1"))->find("exceeds what f16 holds") != std::string::npos);
  const auto bytes = float_point("int8", 8, 8, 131550, "nt", 1, "library");
  CHECK_FALSE(bg::unsupported(with_beta(bytes, "0")));
  CHECK(bg::unsupported(with_beta(bytes, "0.5")) == "sums of more than 131521 products of 8 bits may exceed 32 bits");
  CHECK_FALSE(bg::unsupported(with_beta(half, "0.5")));
}

TEST_CASE("a record with beta is held against the same product without, and is no key figure") {
  const auto measured = [](const record::Point& point, double flops) {
    record::Record r;
    r.benchmark = "gemm.float";
    r.device = "cpu";
    r.point = point;
    r.status = record::Status::ok;
    r.metrics.push_back({"flops", flops, record::Unit::flop_per_second, record::Better::higher, {}, {}});
    return r;
  };
  const auto point = float_point("f32", 512, 512, 512, "nn", 1, "library");
  const auto wide = float_point("f64", 512, 512, 512, "nn", 1, "library");
  std::vector<record::Record> all{measured(with_beta(point, "1"), 90e9), measured(with_beta(point, "0"), 100e9),
                                  measured(with_beta(wide, "1"), 45e9)};
  bg::conclude(all);
  CHECK(*value_of(all[0], "share_of_beta_0") == Approx(0.9));
  CHECK_FALSE(value_of(all[1], "share_of_beta_0"));
  CHECK_FALSE(value_of(all[2], "share_of_beta_0"));
  CHECK(*value_of(all[2], "times_f32") == Approx(0.5));
  const auto lines = bg::key_figures(all);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "gemm cpu 512³: f32 100 GFLOP/s");
}
