// Attention by a library's products: verified as our own, its memory counted, and the faster of the two compared with.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "bench/fusion/analysis.hpp"
#include "bench/fusion/attention.hpp"
#include "bench/harness/told.hpp"
#include "kernels/device/cpu/device.hpp"
#include "tests/support/skip.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bf = ridge::bench::fusion;
using I = std::int64_t;

namespace {

record::Point point_of(const std::string& side, const std::string& causal, I heads, I sequence) {
  record::Point point;
  point.set("side", side);
  point.set("head", std::string("64"));
  point.set("causal", causal);
  point.set("heads", heads);
  point.set("sequence", sequence);
  point.set("threads", I{2});
  return point;
}

record::Record timed(const std::string& side, I sequence, double seconds, const std::string& level) {
  record::Record r;
  r.benchmark = bf::attention_name;
  r.device = "cpu";
  r.point = point_of(side, "no", 1, sequence);
  r.status = record::Status::ok;
  r.work = bf::attention_work(r.point);
  r.statistics.median = seconds;
  r.method.level = level;
  return r;
}

}  // namespace

TEST_CASE("attention by a library's products is verified, and takes scores' memory and no other") {
  const auto device = device::cpu::make_device();
  for (const auto& [heads, sequence, causal] : {std::tuple{1, 1, "no"},
                                                {2, 33, "no"},
                                                {3, 130, "no"},
                                                {1, 1, "yes"},
                                                {2, 33, "yes"},
                                                {3, 130, "yes"},
                                                {2, 193, "yes"},
                                                {1, 400, "yes"}}) {
    const auto point = point_of("library", causal, heads, sequence);
    CAPTURE(point.to_text());
    I needed = 0, bytes = 0;
    for (const I each : bf::attention_buffers(point)) needed += device::borrow_cost(each), bytes += each;
    const auto arena = device->make_arena(needed);
    CpuContext context{*device, *arena, 1, Fill::random};
    std::unique_ptr<Case> prepared;
    try {
      prepared = bf::prepare_library_attention(context, point);
    } catch (const device::Absent& absent) {
      return test::skip(std::string("needs oneDNN: ") + absent.what());
    }
    for (int round = 0; round < 2; ++round) {
      const auto verified = prepared->verify();
      CHECK(verified.reason.empty());
      CHECK(verified.status == record::Check::passed);
      CHECK(verified.checked == 2 * heads * sequence * 64);
      prepared->run(2);
    }
    CHECK(dynamic_cast<TellsFigures&>(*prepared).figures().at(0).value == static_cast<double>(bytes));
    CHECK(prepared->work()->counting.find("; by oneDNN 2.") != std::string::npos);
    CHECK(prepared->work()->items == (causal == std::string("no") ? I{heads} * sequence * sequence
                                                                  : bf::library_pairs({heads, sequence, 64, true})));
  }
}

TEST_CASE("a library's causal attention computes the panels up to their last query's key, and little more than half") {
  static_assert(bf::library_panel == 192);
  CHECK(bf::library_pairs({2, 192, 64, true}) == 2 * 192 * 192);
  CHECK(bf::library_pairs({2, 200, 64, true}) == 2 * (192 * 192 + 8 * 200));
  CHECK(bf::library_pairs({1, 4096, 64, false}) == 4096 * 4096);
  CHECK(static_cast<double>(bf::library_pairs({1, 4096, 64, true})) / (4096.0 * 4096) < 0.53);
  CHECK_FALSE(bf::attention_definition().unsupported(point_of("library", "yes", 1, 8)));
}

TEST_CASE("memory that attention takes is of order n tiled and n² materialised, as a process of its own shows") {
  // Bytes that a process has had in memory at most while it ran one repetition; of none, what it had before.
  const auto peak = [](const std::optional<record::Point>& point) -> double {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      const auto device = device::cpu::make_device();
      device->team(2);
      if (point) {
        I needed = 0;
        for (const I each : bf::attention_buffers(*point)) needed += device::borrow_cost(each);
        const auto arena = device->make_arena(needed);
        CpuContext context{*device, *arena, 1, Fill::random};
        bf::make_attention(context, *point, attention::cpu_kernels())->run(1);
      }
      _exit(0);
    }
    int status = 0;
    rusage used{};
    REQUIRE(wait4(child, &status, 0, &used) == child);
    REQUIRE((WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return 1024.0 * static_cast<double>(used.ru_maxrss);
  };
  const double nothing = peak(std::nullopt);
  for (const std::string causal : {"no", "yes"}) {
    const auto of = [&](const std::string& side, I sequence) {
      return peak(point_of(side, causal, 4, sequence)) - nothing;
    };
    const double tiled = of("fused", 4096), materialised = of("unfused", 4096);
    CAPTURE(causal, nothing, tiled, materialised);
    const double array = 4.0 * 4096 * 64 * 4;
    CHECK(tiled == Approx(6 * array).epsilon(0.3));
    CHECK(tiled / of("fused", 2048) == Approx(2).epsilon(0.3));
    CHECK(materialised == Approx(6 * array + 4.0 * 4096 * 4096 * 4).epsilon(0.1));
    CHECK(materialised / of("unfused", 2048) > 3.3);
  }
}

TEST_CASE("tiled attention is compared with the faster of those that keep scores in memory") {
  for (const double by_library : {0.5, 2.0}) {
    std::vector<record::Record> records{timed("unfused", 2048, 1.0, "memory"),
                                        timed("library", 2048, by_library, "memory"),
                                        timed("fused", 2048, 0.25, "memory")};
    bf::conclude(records);
    CHECK(records[2].metric("speedup")->value == Approx(std::min(1.0, by_library) / 0.25));
    CHECK(records[1].metric("speedup") == nullptr);
  }
}
