// Predictions that follow their constants; every case on the CPU; and counting that is wrong in one way each is
// refused.
#include <catch2/catch.hpp>

#include <algorithm>

#include "bench/atomics/analysis.hpp"
#include "bench/atomics/definition.hpp"
#include "bench/atomics/points.hpp"
#include "kernels/device/cpu/device.hpp"

using namespace ridge;
using namespace ridge::bench;
namespace ba = ridge::bench::atomics;

namespace {

record::Point point_of(const std::string& counters, std::int64_t threads) {
  record::Point point;
  point.set("counters", counters);
  if (threads > 0) point.set("threads", threads);
  return point;
}

record::Record measured(const std::string& benchmark, const std::string& device, const std::string& counters,
                        std::int64_t threads, double ops) {
  record::Record r;
  r.benchmark = benchmark;
  r.device = device;
  r.point = point_of(counters, threads);
  r.status = record::Status::ok;
  r.work.items = 6400;
  r.metrics.push_back({"ops", ops, record::Unit::op_per_second, record::Better::higher, {}, {}});
  return r;
}

record::Record handover(double latency) {
  record::Record r;
  r.benchmark = "atomics.handover";
  r.device = "cpu";
  r.status = record::Status::ok;
  r.metrics.push_back({"latency", latency, record::Unit::seconds, record::Better::lower, {}, {}});
  return r;
}

record::Verification verify(device::cpu::Device& device, const record::Point& point, ba::Count count) {
  const auto arena = device.make_arena(device::borrow_cost(point.integer("threads") * 128 + ba::guard_bytes));
  CpuContext context{device, *arena, 1, Fill::random};
  return ba::prepare_count(context, point, count)->verify();
}

}  // namespace

TEST_CASE("on a CPU separate counters predict one thread's rate times the threads, shared ones a handover each") {
  for (const double rate : {100e6, 300e6}) {
    std::vector<record::Record> records{measured("atomics.add", "cpu", "one", 1, rate),
                                        measured("atomics.add", "cpu", "one", 2, rate / 4),
                                        measured("atomics.add", "cpu", "neighbours", 2, rate / 4),
                                        measured("atomics.add", "cpu", "spread", 1, 2 * rate),
                                        measured("atomics.add", "cpu", "spread", 2, 3 * rate),
                                        measured("atomics.cas", "cpu", "spread", 2, rate),
                                        handover(10 / rate)};
    CHECK(ba::conclude(records).empty());
    CHECK(records[0].metric("predicted_ops") == nullptr);
    CHECK(records[1].metric("ceiling_ops")->value == Approx(rate));
    CHECK(records[1].metric("predicted_ops")->value == Approx(rate / 10));
    CHECK(records[1].metric("share_of_prediction")->value == Approx(2.5));
    CHECK(records[2].metric("predicted_ops")->value == Approx(rate / 10));
    CHECK(records[2].metric("ceiling_ops") == nullptr);  // no neighbours of one thread in this run
    CHECK(records[4].metric("predicted_ops")->value == Approx(4 * rate));
    CHECK(records[4].metric("share_of_prediction")->value == Approx(0.75));
    CHECK(records[4].metric("ceiling_ops") == nullptr);
    CHECK(records[5].metric("predicted_ops") == nullptr);  // of another benchmark's thread
    const auto lines = ba::key_figures(records);
    REQUIRE(lines.size() == 3);
    if (rate == 100e6) {
      CHECK(lines[0] == "atomics.add cpu, 1 thread: one 100 MOP/s, spread 200 MOP/s");
      CHECK(lines[1] == "atomics.add cpu, 2 threads: one 25 MOP/s, neighbours 25 MOP/s, spread 300 MOP/s");
      CHECK(lines[2] == "atomics.handover cpu: 100 ns");
    }
  }
}

TEST_CASE("each measured constant moves the predictions that are made of it, and no other") {
  struct Cpu {
    double one, spread, latency;
  };
  // Of two threads on one counter (and its ceiling), on spread ones.
  const auto on_cpu = [](const Cpu& c) {
    std::vector<record::Record> records{measured("atomics.add", "cpu", "one", 1, c.one),
                                        measured("atomics.add", "cpu", "one", 2, 50e6),
                                        measured("atomics.add", "cpu", "spread", 1, c.spread),
                                        measured("atomics.add", "cpu", "spread", 2, 600e6), handover(c.latency)};
    ba::conclude(records);
    return std::vector<double>{records[1].metric("predicted_ops")->value.value(),
                               records[1].metric("ceiling_ops")->value.value(),
                               records[3].metric("predicted_ops")->value.value()};
  };
  using All = std::vector<double>;
  CHECK(on_cpu({400e6, 300e6, 40e-9}) == All{1 / 40e-9, 400e6, 600e6});
  CHECK(on_cpu({500e6, 300e6, 40e-9}) == All{1 / 40e-9, 500e6, 600e6});
  CHECK(on_cpu({400e6, 350e6, 40e-9}) == All{1 / 40e-9, 400e6, 700e6});
  CHECK(on_cpu({400e6, 300e6, 80e-9}) == All{1 / 80e-9, 400e6, 600e6});
  // Of a counter for each warp and of spread ones in memory, of a counter for each warp in shared memory.
  const auto on_gpu = [](double one, double separate) {
    std::vector<record::Record> records;
    for (const std::string benchmark : {"atomics.add", "atomics.shared"})
      for (const auto& [counters, ops] :
           {std::pair<const char*, double>{"one", one}, {"neighbours", separate}, {"warp", 1e9}, {"spread", 1e9}})
        records.push_back(measured(benchmark, "cuda:0", counters, 0, ops));
    records.pop_back();  // there are no spread ones in shared memory
    ba::conclude(records);
    return All{records[2].metric("predicted_ops")->value.value(), records[3].metric("predicted_ops")->value.value(),
               records[6].metric("predicted_ops")->value.value()};
  };
  CHECK(on_gpu(1e9, 300e9) == All{200e9, 37.5e9, 8e9});
  CHECK(on_gpu(2e9, 300e9) == All{300e9, 37.5e9, 16e9});
  CHECK(on_gpu(1e9, 150e9) == All{150e9, 18.75e9, 8e9});
}

TEST_CASE("on a GPU what one address and separate ones do predicts the rest, with the turns of a warp's lanes") {
  for (const double one : {1e9, 2e9}) {
    std::vector<record::Record> records{measured("atomics.add", "cuda:0", "one", 0, one),
                                        measured("atomics.add", "cuda:0", "warp", 0, 50e9),
                                        measured("atomics.add", "cuda:0", "neighbours", 0, 300e9),
                                        measured("atomics.add", "cuda:0", "spread", 0, 30e9),
                                        measured("atomics.shared", "cuda:0", "one", 0, one),
                                        measured("atomics.shared", "cuda:0", "warp", 0, 7e9),
                                        measured("atomics.shared", "cuda:0", "neighbours", 0, 10e9)};
    ba::conclude(records);
    CHECK(records[0].metric("predicted_turns_per_atomic")->value == 32);
    CHECK(records[1].metric("predicted_turns_per_atomic")->value == 32);
    CHECK(records[2].metric("predicted_turns_per_atomic")->value == 1);
    CHECK(records[3].metric("predicted_turns_per_atomic")->value == 1);
    CHECK(records[0].metric("predicted_ops") == nullptr);
    CHECK(records[1].metric("predicted_ops")->value ==
          Approx(std::min(200 * one, 300e9)));  // 6400 threads are 200 warps
    CHECK(records[3].metric("predicted_ops")->value == Approx(300e9 / 8));
    CHECK(records[5].metric("predicted_ops")->value == Approx(std::min(8 * one, 10e9)));
  }
}

TEST_CASE("every case is verified on the CPU before and after it ran, for one thread and several") {
  const auto device = device::cpu::make_device();
  for (const Definition& d : ba::definitions()) {
    if (!d.prepare_cpu || d.axes.empty()) continue;
    for (const std::string counters : {"one", "neighbours", "spread"})
      for (const std::int64_t threads : {1, 2, 3}) {
        const auto point = point_of(counters, threads);
        CAPTURE(d.name, point.to_text());
        const auto arena = device->make_arena(device::borrow_cost(d.buffers(point).front()));
        CpuContext context{*device, *arena, 1, Fill::random};
        const auto prepared = d.prepare_cpu(context, point);
        CHECK(prepared->verify().status == record::Check::passed);
        prepared->stream().time([&] { prepared->run(2); });
        CHECK(prepared->verify().status == record::Check::passed);
        CHECK(d.work(point).operations == threads * 1024);
      }
  }
}

TEST_CASE("counting that is wrong in one way is refused") {
  const auto device = device::cpu::make_device();
  const auto right = [](std::uint64_t* counter, std::int64_t times) { return ridge::atomics::cpu_add(counter, times); };
  const auto lost = [](std::uint64_t* counter, std::int64_t times) {
    const auto found = ridge::atomics::cpu_add(counter, times - 1);
    return found + static_cast<std::uint64_t>(times) - 1;
  };
  const auto twice = [](std::uint64_t* counter, std::int64_t times) {
    return ridge::atomics::cpu_add(counter, times + 1) - static_cast<std::uint64_t>(times);
  };
  const auto at_once = [](std::uint64_t* counter, std::int64_t times) {  // right in the end, but one addition of many
    const std::uint64_t before = *counter;
    *counter += static_cast<std::uint64_t>(times);
    return before;
  };
  const auto neighbour = [](std::uint64_t* counter, std::int64_t times) {
    return ridge::atomics::cpu_add(counter + 1, times);
  };
  CHECK(verify(*device, point_of("one", 1), right).status == record::Check::passed);
  for (const ba::Count wrong : {ba::Count(lost), ba::Count(twice), ba::Count(at_once), ba::Count(neighbour)})
    for (const std::string counters : {"one", "spread"})
      CHECK(verify(*device, point_of(counters, 1), wrong).status == record::Check::failed);
}

TEST_CASE("warps on a CPU are skipped with the reason, and a handover needs two cores") {
  const auto device = device::cpu::make_device();
  const auto arena = device->make_arena(1 << 16);
  CpuContext context{*device, *arena, 1, Fill::random};
  CHECK_THROWS_AS(ba::prepare_add_cpu(context, point_of("warp", 1)), device::Absent);
  if (device->usable_threads() < 2) {
    CHECK_THROWS_AS(ba::prepare_handover_cpu(context, {}), device::Absent);
  } else {
    const auto prepared = ba::prepare_handover_cpu(context, {});
    CHECK(prepared->verify().status == record::Check::passed);
    prepared->stream().time([&] { prepared->run(3); });
    CHECK(prepared->verify().status == record::Check::passed);
  }
}
