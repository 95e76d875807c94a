// Work by paper, every case on the CPU, and predictions that follow their constants.
#include <catch2/catch.hpp>

#include "bench/fusion/analysis.hpp"
#include "bench/fusion/definition.hpp"
#include "bench/fusion/points.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bf = ridge::bench::fusion;
using Catch::Contains;
using fused::Pair;

namespace {

record::Point point_of(const std::string& side, std::int64_t size, std::int64_t threads = 1, int ops = 0) {
  record::Point point;
  if (ops > 0) point.set("ops", std::int64_t{ops});
  point.set("side", side);
  point.set("size", size);
  point.set("threads", threads);
  return point;
}

constexpr std::int64_t large = 1 << 26;
constexpr std::int64_t small = 1 << 18;

record::Record timed(Pair pair, const std::string& side, double seconds, int ops = 0, std::int64_t size = large) {
  const auto& facts = fused::facts_of(pair);
  record::Record r;
  r.benchmark = "fusion." + std::string(facts.name);
  r.device = "cpu";
  r.point = point_of(side, size, 2, ops);
  r.status = record::Status::ok;
  r.work = bf::work(facts, r.point);
  r.statistics.median = seconds;
  r.method.level = size == large ? "memory" : "L2";
  const auto bytes = static_cast<double>(*r.work.bytes_read + *r.work.bytes_written);
  r.metrics.push_back({"bandwidth", bytes / seconds, record::Unit::bytes_per_second, record::Better::higher, {}, {}});
  return r;
}

}  // namespace

TEST_CASE("work is what the passes and the fused kernel move on paper") {
  const auto chain = fused::facts_of(Pair::chain);
  CHECK(bf::work(chain, point_of("unfused", 4000, 1, 8)).bytes_read == 8 * 4000);
  CHECK(bf::work(chain, point_of("fused", 4000, 1, 8)).bytes_read == 4000);
  CHECK(bf::work(chain, point_of("fused", 4000, 1, 8)).operations == 16 * 1000);
  const auto softmax = fused::facts_of(Pair::softmax);
  CHECK(bf::work(softmax, point_of("unfused", 4000)).bytes_read == 3 * 4000);
  CHECK(bf::work(softmax, point_of("unfused", 4000)).bytes_written == 2 * 4000);
  CHECK(bf::work(softmax, point_of("fused", 4000)).bytes_written == 4000);
  CHECK(bf::work(fused::facts_of(Pair::cross_entropy), point_of("fused", 4000)).bytes_written == 0);
  CHECK(bf::rows_of(point_of("fused", 4 * 4096 * 3 + 5)) == 3);
  CHECK(bf::columns_of(point_of("fused", 40)) == 10);
  CHECK(bf::unsupported(point_of("fused", 3)).value() == "a size of 3 bytes is below one element of 4 bytes");
}

TEST_CASE("both sides of every pair are verified on the CPU, before and after being run") {
  const auto device = device::cpu::make_device();
  for (const fused::Facts& facts : fused::all_facts())
    for (const std::string side : {"unfused", "fused"})
      for (const auto& [size, threads] : {std::pair{4, 1}, std::pair{28, 2}, std::pair{4 * 4096 * 5 + 12, 3}}) {
        auto point = point_of(side, size, threads, facts.pair == Pair::chain ? 3 : 0);
        if (facts.pair == Pair::bias_gelu_dropout) point.set("dropout", std::string("0.1"));
        CAPTURE(facts.name, point.to_text());
        std::int64_t needed = 0;
        for (const std::int64_t bytes : bf::buffers(facts, point)) needed += device::borrow_cost(bytes);
        const auto arena = device->make_arena(needed);
        CpuContext context{*device, *arena, 1, size == 28 ? Fill::zero : Fill::random};
        const auto prepared = bf::prepare_cpu(facts, context, point);
        for (int round = 0; round < 2; ++round) {
          const auto verified = prepared->verify();
          CHECK(verified.reason.empty());
          CHECK(verified.status == record::Check::passed);
          CHECK(verified.checked >= 1);
          prepared->run(3);
        }
      }
}

TEST_CASE("speed-ups are predicted from this run's bandwidth, and from arithmetic where that takes longer") {
  const double bytes = 2.0 * large;
  for (const double bandwidth : {20e9, 40e9}) {
    std::vector<record::Record> records{timed(Pair::chain, "fused", bytes / bandwidth, 1),
                                        timed(Pair::chain, "unfused", 8 * bytes / bandwidth, 8),
                                        timed(Pair::chain, "fused", 1.25 * bytes / bandwidth, 8),
                                        timed(Pair::softmax, "unfused", 2.5 * bytes / bandwidth),
                                        timed(Pair::softmax, "fused", 2 * bytes / bandwidth),
                                        timed(Pair::softmax, "fused", 2 * 2.0 * small / bandwidth, 0, small),
                                        timed(Pair::softmax, "unfused", 3 * 2.0 * small / bandwidth, 0, small)};
    const auto findings = bf::conclude(records);
    CHECK(records[1].metric("predicted_time")->value == Approx(8 * bytes / bandwidth));
    CHECK(records[2].metric("speedup")->value == Approx(6.4));
    CHECK(records[2].metric("predicted_speedup")->value == Approx(8));
    CHECK(records[2].metric("roof_share")->value == Approx(0.8));
    // In a cache each element takes twice what its bytes take from memory: the fused side is bound by arithmetic.
    CHECK(records[4].metric("predicted_time")->value == Approx(2 * bytes / bandwidth));
    // Of the passes, the one with exponentials takes three times its bytes, the other three arrays theirs.
    CHECK(records[3].metric("predicted_time")->value == Approx((3 + 1.5) * bytes / bandwidth));
    CHECK(records[4].metric("predicted_speedup")->value == Approx(2.25));
    CHECK(records[4].metric("speedup")->value == Approx(1.25));
    CHECK(records[5].metric("speedup") == nullptr);
    REQUIRE(findings.size() == 2);
    CHECK_THAT(findings[1].message,
               Contains("softmax: 1.25 times faster fused, 2.25 predicted, 56 % of it; fused 100 % of its roof "
                        "(arithmetic), passes 180 % of its roof (arithmetic); passes: arithmetic takes less here"));
    CHECK_THAT(findings[0].message, Contains("chain of 8: 6.4 times faster fused, 8 predicted, 80 % of it") &&
                                        Contains("fused 80 % of its roof (memory), passes 100 %") &&
                                        Contains("; fused: bytes move more slowly than those of one operation"));
    CHECK(records[2].metric("share_of_prediction")->value == Approx(0.8));
    // Both terms stand beside what follows from them.
    CHECK(records[4].metric("bytes_time")->value == Approx(bytes / bandwidth));
    CHECK(records[4].metric("arithmetic_time")->value == Approx(2 * bytes / bandwidth));
    CHECK(records[3].metric("bytes_time")->value == Approx(2.5 * bytes / bandwidth));
    CHECK(records[1].metric("arithmetic_time") == nullptr);  // of a chain nothing was measured in a cache
    CHECK(records[4].metric("special_operations") == nullptr);
    const auto lines = bf::key_figures(records);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0] == "fused cpu: chain of 8 6.4x (8), softmax 1.2x (2.2)");
  }
}

TEST_CASE("an exponential counts for as many operations as it takes where the same run multiplies and adds") {
  constexpr double each = 1e-10;  // an operation
  const auto in_cache = [](Pair pair, const std::string& side, double operations, int ops = 0) {
    return timed(pair, side, operations * each * (small / 4.0), ops, small);
  };
  std::vector<record::Record> records{timed(Pair::chain, "fused", 2.0 * large / 20e9, 1),
                                      in_cache(Pair::chain, "fused", 2 * 3, 1),  // of few operations: loads and stores
                                      in_cache(Pair::chain, "fused", 2 * 16, 16),
                                      in_cache(Pair::softmax, "fused", 4 + 11),
                                      timed(Pair::softmax, "fused", 0.2),
                                      in_cache(Pair::rmsnorm, "fused", 5),
                                      timed(Pair::rmsnorm, "fused", 0.2)};
  bf::conclude(records);
  CHECK(records[4].metric("special_operations")->value == Approx(11));
  CHECK(records[6].metric("special_operations") == nullptr);  // has none for each element
}

TEST_CASE("in a cold run arithmetic is what a repetition takes warm, and bandwidth that of cold caches") {
  const auto cold = [](record::Record r, std::optional<double> warm) {
    r.method.cache = "cold";
    if (warm) r.metrics.push_back({"warm_time", warm, record::Unit::seconds, record::Better::neither, {}, {}});
    return r;
  };
  constexpr double bandwidth = 20e9, bytes = 2.0 * large, in_cache = 2.0 * small / bandwidth;
  std::vector<record::Record> records{cold(timed(Pair::chain, "fused", bytes / bandwidth, 1), {}),
                                      cold(timed(Pair::softmax, "fused", 1.5 * bytes / bandwidth), 0.1),
                                      cold(timed(Pair::softmax, "fused", 9 * in_cache, 0, small), 1.5 * in_cache),
                                      timed(Pair::softmax, "fused", 4 * in_cache, 0, small)};
  bf::conclude(records);
  CHECK(records[1].metric("predicted_time")->value == Approx(1.5 * bytes / bandwidth));
  CHECK(records[1].metric("roof_share")->value == Approx(1));
}

TEST_CASE("a gap says on which side it is and why, and a speed-up beyond what is predicted is one as well") {
  const auto message = [](double passes, double fused, double arithmetic) {
    constexpr double array = large / 20e9;
    std::vector<record::Record> records{timed(Pair::chain, "fused", 2 * array, 1),
                                        timed(Pair::softmax, "unfused", passes * array),
                                        timed(Pair::softmax, "fused", fused * array),
                                        timed(Pair::softmax, "fused", arithmetic * small / 20e9, 0, small)};
    const auto findings = bf::conclude(records);
    return findings.empty() ? std::string() : findings.at(0).message;
  };
  CHECK(message(5, 2.05, 1) == "");
  CHECK_THAT(message(5, 2.5, 1.6),
             Contains("80 % of it") && Contains("; fused: arithmetic takes 0.8 of what the bytes take, and they do "));
  CHECK_THAT(message(5, 4, 3), Contains("; fused: arithmetic takes 1.5 of what"));
  CHECK_THAT(message(5, 8, 6), Contains("; fused: arithmetic takes longer on data from memory"));
  CHECK_THAT(message(4, 2, 0.1), Contains("; passes: bytes move faster than"));
  CHECK_THAT(message(7, 2, 0.1), Contains("140 % of it") && Contains("; passes: bytes move more slowly"));
  CHECK_THAT(message(5, 1.5, 0.1), Contains("133 % of it") && Contains("; fused: bytes move faster"));
}

TEST_CASE("dropout is a step more, and both of its passes with arithmetic are weighed against it") {
  const auto with_dropout = [](const std::string& dropout, const std::string& side, double seconds, std::int64_t size) {
    auto r = timed(Pair::bias_gelu, side, seconds, 0, size);
    r.point.set("dropout", dropout);
    r.work = bf::work(bf::facts_at(fused::facts_of(Pair::bias_gelu), r.point), r.point);
    return r;
  };
  constexpr double bandwidth = 20e9, array = large / bandwidth, in_cache = small / bandwidth;
  std::vector<record::Record> records{
      timed(Pair::chain, "fused", 2 * array, 1),         with_dropout("0.1", "unfused", 10 * array, large),
      with_dropout("0.1", "fused", 6 * array, large),    with_dropout("0.1", "unfused", 5 * in_cache, small),
      with_dropout("0.1", "fused", 6 * in_cache, small), with_dropout("0", "unfused", 7 * array, large),
      with_dropout("0", "fused", 3 * array, large)};
  CHECK(*records[1].work.bytes_read == 5 * large);
  CHECK(*records[1].work.bytes_written == 4 * large);
  CHECK(*records[5].work.bytes_read == 4 * large);
  bf::conclude(records);
  // Five arrays of passes that only add, and the longer of the other four and of five arrays' worth of arithmetic.
  CHECK(records[1].metric("predicted_time")->value == Approx((5 + 5) * array));
  CHECK(records[2].metric("predicted_time")->value == Approx(6 * array));
  CHECK(records[2].metric("predicted_speedup")->value == Approx(10.0 / 6));
  // Without dropout nothing was measured in a cache.
  CHECK(records[6].metric("predicted_speedup")->value == Approx(7.0 / 3));
  CHECK(bf::key_figures(records).at(0) == "fused cpu: bias_gelu with dropout 0.1 1.7x (1.7), bias_gelu 2.3x (2.3)");
}

TEST_CASE("a slower fused side is a figure as any other, and nothing is predicted without a bandwidth") {
  std::vector<record::Record> records{timed(Pair::rmsnorm, "unfused", 1e-3), timed(Pair::rmsnorm, "fused", 2e-3)};
  CHECK(bf::conclude(records).empty());
  CHECK(records[1].metric("speedup")->value == Approx(0.5));
  CHECK(records[1].metric("predicted_speedup") == nullptr);
  CHECK(bf::key_figures(records).at(0) == "fused cpu: rmsnorm 0.5x");
}
