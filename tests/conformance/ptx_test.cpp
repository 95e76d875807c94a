// Every benchmark with a CUDA kernel runs on the reference machine, is right there, and its stated work is proven.
#include <catch2/catch.hpp>

#include "bench/harness/engine.hpp"
#include "kernels/gpus/gpus.hpp"
#include "tests/conformance/some_choices.hpp"

using namespace ridge;

namespace {

struct Silent : bench::Observer {};

bool needs_time(record::Unit unit) {
  using record::Unit;
  return unit == Unit::bytes_per_second || unit == Unit::seconds || unit == Unit::flop_per_second ||
         unit == Unit::op_per_second;
}

// One element, sizes around a vector and a warp, an odd one, small squares; all choices of every other axis.
std::map<std::string, std::string> smallest(const bench::Definition& definition) {
  std::map<std::string, std::string> axes;
  for (const bench::Axis& axis : definition.axes) {
    if (!bench::exists_on(axis, device::Kind::ptx)) continue;
    if (axis.name == "size") axes[axis.name] = "8,24,248,256,264,8200";
    if (axis.name == "m") axes[axis.name] = "1,33,128";  // n and k follow
    if (axis.name == "heads") axes[axis.name] = "2";
    if (axis.name == "sequence") axes[axis.name] = "1,33";
    if (axis.kind == bench::AxisKind::choice) axes[axis.name] = test::some_choices(axis);
  }
  return axes;
}

}  // namespace

TEST_CASE("every definition for GPUs is verified on the reference machine and its work is proven") {
  gpus::Gpus all({.reference_gpus = 3, .reference_memory = 64 << 20, .reference_multiprocessors = 2});
  const auto registry = bench::make_registry();
  bench::Inventory inventory;
  for (const auto& gpu : all.reference().gpus)
    inventory.devices.push_back({gpu.name, std::nullopt, gpu.memory_free, {{"L2", gpu.l2_bytes, 1}}});
  bench::Hooks hooks;
  hooks.open = [&](const device::Name& name) { return bench::OpenedDevice{&all.base(name), nullptr, &all.open(name)}; };
  hooks.interrupted = [] { return false; };
  hooks.count = [&](const device::Name& name, const std::function<void()>& work) { return all.count(name, work); };
  int proven = 0;
  for (const bench::Definition& d : registry) {
    if (!d.prepare_cuda) continue;
    const auto plan =
        bench::plan(registry, {{{{d.name}, smallest(d)}}, {{device::Kind::ptx, 0}}, false}, inventory, {});
    REQUIRE_FALSE(plan.cases.empty());
    Silent silent;
    for (const record::Record& record : bench::run(plan, {}, hooks, silent)) {
      INFO(record::identity(record) << ": " << record.reason);
      if (record.status == record::Status::skipped) continue;
      CHECK(record.status == record::Status::ok);
      CHECK(record.verification.status == record::Check::passed);
      CHECK(record.verification.checked > 0);
      CHECK(record.samples.empty());  // counts, no times
      REQUIRE(record.metric("work_proven") != nullptr);
      CHECK(record.metric("work_proven")->value == 1.0);
      for (const record::Metric& metric : record.metrics) CHECK(needs_time(metric.unit) != metric.value.has_value());
      ++proven;
    }
  }
  CHECK(proven > 100);
}
