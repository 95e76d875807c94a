// Steps on the reference machine: the same bits and the same work in every way, launches as predicted, and every wrong
// kernel found out.
#include <catch2/catch.hpp>

#include "bench/harness/mutant.hpp"
#include "bench/launch/analysis.hpp"
#include "bench/launch/cuda_steps.hpp"
#include "bench/launch/definition.hpp"
#include "kernels/launch/launch_image.hpp"
#include "kernels/launch/launch_kernels.hpp"
#include "kernels/ptx/testing/campaign.hpp"
#include "kernels/ptx/testing/mistakes.hpp"

using namespace ridge;
using namespace ridge::bench;
using namespace ridge::bench::launch;
using ptx::testing::OneGpu;

namespace {

record::Point point_of(const std::string& way, std::int64_t steps) {
  record::Point point;
  point.set("way", way);
  point.set("steps", steps);
  return point;
}

record::Work stated(const record::Point& point) {
  for (const Definition& each : definitions())
    if (each.name == "launch.steps") return each.work(point);
  return {};
}

record::Record measured(const record::Point& point, const char* benchmark, double latency) {
  record::Record r;
  r.benchmark = benchmark;
  r.device = "cuda:0";
  r.point = point;
  r.status = record::Status::ok;
  r.metrics.push_back({"latency", latency, record::Unit::seconds, record::Better::lower, {}, {}});
  return r;
}

}  // namespace

TEST_CASE("steps leave the same bits and do the same work in every way, and launch as often as predicted") {
  OneGpu gpu;
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    gpu.order(order);
    for (const std::string way : {"stream", "graph", "persistent"})
      for (const std::int64_t steps : {1, 2, 17}) {
        const auto point = point_of(way, steps);
        CAPTURE(point.to_text());
        const auto arena = gpu.device().make_arena(1 << 16);
        CudaContext context{gpu.device(), *arena, 1, Fill::random};
        StepsCase one(context, step_way_of(point), static_cast<int>(steps), ridge::launch::launch_image);
        for (int round = 0; round < 2; ++round) {
          const auto verified = one.verify();
          CHECK(verified.reason.empty());
          REQUIRE(verified.status == record::Check::passed);
          if (round == 0) one.run(2);
        }
        const auto counted = gpu.count([&] { one.stream().time([&] { one.run(1); }); });
        CHECK(prove(stated(point), {}, counted).difference == std::string());
        CHECK(counted.launches == step_launches(point));
        CHECK(step_launches(point) == (way == "persistent" ? 1 : steps));
      }
  }
}

TEST_CASE("steps are predicted from the kernel that stays and from empty launches of the same run") {
  for (const auto& [launch, stays] : {std::pair{2e-6, 1e-7}, {5e-6, 1e-7}, {2e-6, 4e-7}}) {
    record::Point queued, graph;
    queued.set("way", std::string("queued")), queued.set("arguments", std::string("1"));
    graph.set("way", std::string("graph")), graph.set("arguments", std::string("1"));
    std::vector<record::Record> records{measured(point_of("stream", 16), "launch.steps", 2 * launch),
                                        measured(point_of("graph", 16), "launch.steps", launch),
                                        measured(point_of("persistent", 16), "launch.steps", stays),
                                        measured(point_of("persistent", 1), "launch.steps", 3e-6),
                                        measured(queued, "launch.empty", launch),
                                        measured(graph, "launch.empty", launch / 4)};
    conclude(records);
    CHECK(records[0].metric("predicted_latency")->value == Approx(stays + launch));
    CHECK(records[1].metric("predicted_latency")->value == Approx(stays + launch / 4));
    CHECK(records[1].metric("share_of_prediction")->value == Approx(launch / (stays + launch / 4)));
    CHECK(records[0].metric("speedup") == nullptr);
    CHECK(records[1].metric("speedup")->value == Approx(2));
    CHECK(records[2].metric("speedup")->value == Approx(2 * launch / stays));
    CHECK(records[3].metric("speedup") == nullptr);
    CHECK(records[2].metric("predicted_latency") == nullptr);
    CHECK(records[2].metric("predicted_launches")->value == 1);
    CHECK(records[0].metric("predicted_launches")->value == 16);
    if (launch == 2e-6 && stays == 1e-7) {
      const auto lines = key_figures(records);
      CHECK(lines.at(0) == "launch.steps cuda:0, 16 steps: stream 4 us, graph 2 us, persistent 100 ns");
      CHECK(lines.at(1) == "launch.steps cuda:0, 1 step: persistent 3 us");
    }
  }
}

TEST_CASE("every mutant of the kernel of steps is killed on the reference machine") {
  constexpr ptx::testing::Mutation mutations[] = {
      {"barrier removed", R"(bar\.sync\s+0;)", ""},
      {"a product left out", R"(mul(?:\.rn)?\.f32 (\s*%\w+), (%\w+), ([^;]+);)", "mov.f32 $1, $2;"},
      {"a multiply-add left out", R"(fma\.rn\.f32 (\s*%\w+), (%\w+), ([^,;]+), ([^;]+);)", "mov.f32 $1, $2;"},
      {"summand forgotten", R"(fma\.rn\.f32 (\s*%\w+), (%\w+), ([^,;]+), ([^;]+);)", "mul.rn.f32 $1, $2, $3;"},
      {"a load from further on", R"((ld\.global(?:\.nc)?\.f32\s+%f\d+, \[%rd\d+)\];)", "$1+4];"},
      {"a store of nothing", R"(st\.global\.[^;]+;)", ""},
      {"a store into the next place", R"((st\.global\.f32\s+\[%rd\d+)\])", "$1+4]"},
      {"subtracted index", R"(add\.s(32|64)\s+(%\w+), (%\w+), (%\w+|-?\d+);)", "sub.s$1 $2, $3, $4;"},
      {"steps of the other parity", R"(and\.b32(\s+%r\d+, %r\d+), 1;)", "and.b32$1, 2;"},
      {"ring of another length", R"(and\.b32(\s+%r\d+, %r\d+), 1023;)", "and.b32$1, 511;"},
  };
  const ptx::testing::Same same[] = {
      // The first quarter's neighbours lie in the first half.
      {"launch_steps", "ring of another length", 1},
  };
  const auto verdict = [](OneGpu& gpu, const device::cuda::Image& image) -> std::string {
    for (const std::string way : {"persistent", "stream"})
      for (const std::int64_t steps : {1, 2, 5}) {
        const auto point = point_of(way, steps);
        for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse}) {
          gpu.order(order);
          const auto arena = gpu.device().make_arena(1 << 16);
          CudaContext context{gpu.device(), *arena, 1, Fill::random};
          StepsCase one(context, step_way_of(point), static_cast<int>(steps), image);
          if (one.verify().status != record::Check::passed) return "wrong answer";
          const auto counted = gpu.count([&] { one.stream().time([&] { one.run(1); }); });
          if (!prove(stated(point), {}, counted).proven) return "other work";
        }
      }
    return {};
  };
  const std::vector<ptx::testing::Subject> subjects{
      {ridge::launch::steps.name,
       device::cuda::ptx_of(ridge::launch::launch_image.begin, 80),
       [&](const std::string& ptx) { return ptx::testing::judged(ptx, verdict); },
       {ridge::launch::steps.name}}};
  ptx::testing::check_campaign(ptx::testing::run_campaign(subjects, ptx::testing::with_common(mutations)), same,
                               {"wrong answer", "fault"});
}
