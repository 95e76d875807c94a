// Predictions that follow their constants, and fork and join on the CPU.
#include <catch2/catch.hpp>

#include "bench/launch/analysis.hpp"
#include "bench/launch/definition.hpp"
#include "bench/launch/points.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/launch/launch.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace bl = ridge::bench::launch;

namespace {

record::Record measured(const std::string& benchmark, const std::string& device, double latency) {
  record::Record r;
  r.benchmark = benchmark;
  r.device = device;
  r.status = record::Status::ok;
  r.metrics.push_back({"latency", latency, record::Unit::seconds, record::Better::lower, {}, {}});
  return r;
}

record::Record empty(const std::string& way, const std::string& arguments, double latency) {
  record::Record r = measured("launch.empty", "cuda:0", latency);
  r.point.set("way", way);
  r.point.set("arguments", arguments);
  return r;
}

record::Record fork_join(std::int64_t threads, double latency) {
  record::Record r = measured("launch.fork_join", "cpu", latency);
  r.point.set("threads", threads);
  return r;
}

}  // namespace

TEST_CASE("a fork and join is predicted as two handovers of the same run") {
  for (const double one_way : {50e-9, 80e-9}) {
    std::vector<record::Record> records{fork_join(1, 2e-9), fork_join(2, 200e-9), fork_join(4, 300e-9),
                                        measured("launch.handover", "cpu", one_way)};
    CHECK(bl::conclude(records).empty());
    CHECK(records[0].metric("predicted_latency") == nullptr);
    CHECK(records[1].metric("predicted_latency")->value == Approx(2 * one_way));
    CHECK(records[2].metric("predicted_latency")->value == Approx(2 * one_way));
    CHECK(records[1].metric("share_of_prediction")->value == Approx(100e-9 / one_way));
    const auto lines = bl::key_figures(records);
    REQUIRE(lines.size() == 1);
    if (one_way == 50e-9)
      CHECK(lines[0] == "launch.fork_join cpu: 1 thread 2 ns, 2 threads 200 ns, 4 threads 300 ns (handover 50 ns)");
  }
  std::vector<record::Record> alone{fork_join(2, 200e-9)};
  bl::conclude(alone);
  CHECK(alone[0].metric("predicted_latency") == nullptr);
}

TEST_CASE("what a graph saves is told of launches with as many arguments in the same run") {
  std::vector<record::Record> records{empty("queued", "1", 3e-6), empty("graph", "1", 1e-6), empty("wall", "1", 9e-6),
                                      empty("queued", "512", 4e-6)};
  bl::conclude(records);
  CHECK(records[0].metric("graph_saves")->value == Approx(3));
  CHECK(records[0].metric("predicted_launches") == nullptr);  // states none
  CHECK(records[2].metric("graph_saves") == nullptr);
  CHECK(records[3].metric("graph_saves") == nullptr);
  const auto lines = bl::key_figures(records);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "launch.empty cuda:0, 1 argument: queued 3 us, graph 1 us, wall 9 us");
  CHECK(lines[1] == "launch.empty cuda:0, 512 arguments: queued 4 us");
}

TEST_CASE("every thread is called once for each fork, whatever the number of threads") {
  const auto device = device::cpu::make_device();
  for (const std::int64_t threads : {1, 2, 3}) {
    record::Point point;
    point.set("threads", threads);
    const auto arena = device->make_arena(device::borrow_cost(threads * 128));
    CpuContext context{*device, *arena, 1, Fill::random};
    const auto prepared = bl::prepare_fork_join(context, point);
    CHECK(prepared->verify().status == record::Check::passed);
    CHECK(prepared->verify().checked == threads);
    prepared->stream().time([&] { prepared->run(50); });
    CHECK(prepared->verify().status == record::Check::passed);
  }
}

TEST_CASE("a digest tells which arguments came, in which order, and that they came at all") {
  using ridge::launch::digest;
  const std::vector<std::uint64_t> some{1, 2, 3};
  CHECK(digest(some) != digest(std::vector<std::uint64_t>{1, 3, 2}));
  CHECK(digest(some) != digest(std::vector<std::uint64_t>{1, 2}));
  CHECK(digest(some) != digest(std::vector<std::uint64_t>{1, 2, 3, 0}));
  CHECK(digest({}) == ridge::launch::digest_of_none);
  CHECK(digest({}) != 0);
}

TEST_CASE("facts: a graph holds 64 launches, and every choice of arguments is a number that there is a kernel for") {
  const auto all = bl::definitions();
  REQUIRE(all.size() == 4);
  CHECK(all[0].axes[1].choices == std::vector<std::string>{"1", "16", "64", "512"});
  record::Point point;
  point.set("way", std::string("graph"));
  point.set("arguments", std::string("512"));
  CHECK(all[0].work(point).items == 64);
  CHECK(bl::arguments_of(point) == 512);
  point.set("way", std::string("wall"));
  CHECK(all[0].work(point).items == 1);
  CHECK(all[3].name == "launch.handover");
}
