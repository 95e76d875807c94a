// Every benchmark: its facts are complete, its smallest points run and prove themselves on the CPU, its suites can be
// planned.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "bench/harness/engine.hpp"
#include "bench/harness/suite.hpp"
#include "kernels/device/cpu/device.hpp"
#include "kernels/device/cpu/host.hpp"
#include "tests/conformance/some_choices.hpp"

using namespace ridge;

namespace {

struct Silent : bench::Observer {};

bench::Inventory small_machine() {
  bench::Inventory inventory;
  inventory.usable_threads = 2;
  inventory.levels = {{"L1", 32 << 10, 2}, {"L2", 512 << 10, 2}, {"L3", 8 << 20, 1}};
  inventory.devices = {{{device::Kind::cpu, 0}, std::nullopt, std::int64_t{4} << 30}};
  return inventory;
}

bench::Settings one_quick_round() {
  bench::Settings settings;
  settings.rounds = 1;
  settings.min_time = 1e-5;
  return settings;
}

// Of an axis with many choices the first two and the last.
std::string few_choices(const bench::Axis& axis) {
  constexpr std::size_t few = 3;
  if (axis.choices.size() <= few) return "all";
  return axis.choices[0] + "," + axis.choices[1] + "," + axis.choices.back();
}

// Ranks wait for each other, for many turns of the scheduler where other tests run beside this one.
bool has_too_many(const bench::Definition& definition) {
  constexpr std::size_t most = 150;
  std::size_t combinations = 1;
  bool ranks = false;
  for (const bench::Axis& axis : definition.axes) {
    combinations *= std::max<std::size_t>(axis.choices.size(), 1);
    ranks = ranks || axis.name == "ranks";
  }
  return ranks && combinations > most;
}

// The smallest points of a definition: one element, a few odd counts, and everything else at its default or all
// choices.
std::map<std::string, std::string> smallest(const bench::Definition& definition) {
  std::map<std::string, std::string> axes;
  for (const bench::Axis& axis : definition.axes) {
    if (axis.name == "size") axes["elements"] = "1,7,33";
    if (axis.kind == bench::AxisKind::choice)
      axes[axis.name] = has_too_many(definition) ? few_choices(axis) : test::some_choices(axis);
    if (axis.name == "threads") axes[axis.name] = "1,2";
    if (axis.name == "heads") axes[axis.name] = "2";
    if (axis.name == "sequence") axes[axis.name] = "1,33";
    if (axis.name == "m" || axis.name == "n" || axis.name == "k") axes[axis.name] = "17";
  }
  return axes;
}

}  // namespace

TEST_CASE("every definition states its facts in full") {
  std::set<std::string> names;
  const auto registry = bench::make_registry();
  REQUIRE_FALSE(registry.empty());
  for (const bench::Definition& d : registry) {
    INFO(d.name);
    CHECK(names.insert(d.name).second);
    CHECK_FALSE(d.summary.empty());
    CHECK_FALSE(d.metrics.empty());
    CHECK(d.workload_version >= 1);
    CHECK(d.work);
    CHECK(d.buffers);
    // A build without CUDA has no kernel for them, but suites and `list` name them all the same.
    CHECK((d.prepare_cpu || d.prepare_cuda || RIDGE_WITH_CUDA == 0));
    for (const std::string* text : {&d.explanation.measures, &d.explanation.formula, &d.explanation.counting,
                                    &d.explanation.spoil, &d.explanation.normal})
      CHECK(text->size() > 20);
    for (const bench::Axis& axis : d.axes) {
      INFO(axis.name);
      CHECK_FALSE(axis.help.empty());
      CHECK_FALSE(axis.fallback.empty());
      CHECK((axis.kind == bench::AxisKind::choice) == !axis.choices.empty());
    }
  }
}

TEST_CASE("every definition runs its smallest points on the CPU and proves its answer") {
  const auto registry = bench::make_registry();
  const auto settings = one_quick_round();
  const auto cpu = device::cpu::make_device();
  bench::Hooks hooks;
  hooks.open = [&cpu](const device::Name&) { return bench::OpenedDevice{cpu.get(), cpu.get(), nullptr}; };
  hooks.interrupted = [] { return false; };
  for (const bench::Definition& d : registry) {
    if (!d.prepare_cpu) continue;
    const auto plan = bench::plan(registry, {{{{d.name}, smallest(d)}}, {{}}, false}, small_machine(), settings);
    Silent silent;
    for (const record::Record& record : bench::run(plan, settings, hooks, silent)) {
      INFO(record::identity(record) << ": " << record.reason);
      const bool measured = record.status == record::Status::ok || record.status == record::Status::suspect;
      CHECK((measured || record.status == record::Status::skipped));
      if (!measured) continue;
      if (record.method.repetitions == 0) {  // computed, not timed
        CHECK(record.samples.empty());
        CHECK(std::any_of(record.metrics.begin(), record.metrics.end(), [](const auto& m) { return m.value; }));
      } else {
        CHECK(record.samples.size() == 1);
        CHECK(record.samples.front() > 0);
      }
      CHECK_FALSE(record.work.counting.empty());
      CHECK_FALSE(record.reproduce.empty());
      if (record.verification.status == record::Check::not_applicable) {
        CHECK_FALSE(record.verification.reason.empty());
      } else {
        CHECK(record.verification.status == record::Check::passed);
        CHECK(record.verification.checked > 0);
      }
      for (const record::Metric& metric : record.metrics) {
        INFO(metric.name);
        const bool judged = metric.better != record::Better::neither;  // the gate needs ratios of it
        CHECK((!metric.value || *metric.value > 0 || (!judged && *metric.value == 0)));
      }
    }
  }
}

TEST_CASE("every suite can be planned on this machine and on one that hides its caches") {
  const auto registry = bench::make_registry();
  bench::Inventory hidden = small_machine();
  hidden.levels.clear();
  for (const auto& [name, text] : bench::suite_sources()) {
    for (const bench::Inventory& inventory :
         {small_machine(), hidden, bench::make_inventory(device::cpu::read_host())}) {
      const bench::Suite suite = bench::parse_suite(name, text);
      bench::Settings settings;
      settings.rounds = suite.rounds;
      INFO("suite " << name);
      CHECK_FALSE(suite.description.empty());
      const auto plan = bench::plan(registry, {suite.requests, {{}}, true}, inventory, settings);
      CHECK(plan.windows.size() >= 1);
    }
  }
}

TEST_CASE("the ci suite takes at least the ten rounds that a gate needs") {
  CHECK(bench::find_suite("ci", bench::suite_sources()).rounds >= 10);
}
