// The run against scripted cases: order, faults, early ends, and what each leaves in the records.
#include "bench/harness/engine.hpp"

#include <catch2/catch.hpp>

#include "bench/harness/fakes.hpp"

using namespace ridge;
using bench::fake::Script;
using record::Status;

namespace {

struct Bench {
  Bench() { inventory.devices.push_back({{}, std::nullopt, 1 << 20}); }

  std::vector<record::Record> run() {
    const auto plan = bench::plan(registry, {{{{"fake"}, {}}}, {{}}, false}, inventory, settings);
    bench::Hooks hooks;
    hooks.open = [this](const device::Name&) { return bench::OpenedDevice{&device, &device, nullptr}; };
    hooks.interrupted = [this] { return interrupted; };
    hooks.conditions = conditions;
    hooks.clock = clock;
    struct Quiet : bench::Observer {
    } quiet;
    return bench::run(plan, settings, hooks, quiet);
  }

  bench::fake::Device device;
  bench::Inventory inventory;
  bench::Registry registry;
  bench::Settings settings;
  bool interrupted = false;
  std::function<bench::Reading()> conditions;
  std::function<std::optional<double>()> clock;
};

}  // namespace

TEST_CASE("a good case gives one sample per round and the rate of its work") {
  Bench b;
  Script script;
  b.registry.push_back(bench::fake::definition("good", script));
  const auto records = b.run();
  REQUIRE(records.size() == 1);
  CHECK(records[0].status == Status::ok);
  CHECK(records[0].samples.size() == 5);
  CHECK(records[0].statistics.count == 5);
  CHECK(*records[0].statistics.median == Approx(1e-3).epsilon(1e-3));
  CHECK(*records[0].metrics.at(0).value == Approx(1e6).epsilon(1e-3));
  CHECK(records[0].method.repetitions >= 20);  // 20 ms at least of 1 ms each
  CHECK(records[0].verification.status == record::Check::passed);
  CHECK(*records[0].method.empty_interval == Approx(1e-7));
}

TEST_CASE("cold: one repetition per interval, a flush before each") {
  Bench b;
  Script script;
  script.seconds = 1e-6;
  b.settings.cache = bench::CachePolicy::cold;
  b.registry.push_back(bench::fake::definition("cold", script));
  const auto records = b.run();
  CHECK(records[0].method.repetitions == 1);
  CHECK(records[0].method.intervals >= 1);
  CHECK(b.device.stream.flushes >= 5 * records[0].method.intervals);
  CHECK(records[0].method.cache == "cold");
}

TEST_CASE("a cold run tells what a repetition takes warm besides, and a warm one has nothing to add") {
  Bench b;
  Script script;
  script.on_run = [&] {  // what a flush has put out of the caches costs as much again
    if (b.device.stream.flushes > 0) b.device.stream.now += 1e-3;
    b.device.stream.flushes = 0;
  };
  b.registry.push_back(bench::fake::definition("either", script));
  CHECK(b.run()[0].metric("warm_time") == nullptr);
  b.settings.cache = bench::CachePolicy::cold;
  const auto records = b.run();
  CHECK(*records[0].statistics.median == Approx(2e-3).epsilon(1e-3));
  REQUIRE(records[0].metric("warm_time") != nullptr);
  CHECK(*records[0].metric("warm_time")->value == Approx(1e-3).epsilon(1e-3));
  CHECK(records[0].metric("warm_time")->better == record::Better::neither);
}

TEST_CASE("a case is warmed before each warm sample and before no cold one") {
  Bench b;
  Script script;
  b.registry.push_back(bench::fake::definition("warm", script));
  b.run();
  CHECK(script.warmed == b.settings.rounds);
  b.settings.cache = bench::CachePolicy::cold;
  b.run();
  CHECK(script.warmed == b.settings.rounds);
}

TEST_CASE("work that only the device can tell is the case's to state, and rates follow from it") {
  Bench b;
  Script script;
  script.work = record::Work{};
  script.work->bytes_read = 4000;
  b.registry.push_back(bench::fake::definition("sized", script));
  const auto records = b.run();
  CHECK(records[0].work.bytes_read == 4000);
  CHECK(*records[0].metrics.at(0).value == Approx(4e6).epsilon(1e-3));
}

TEST_CASE("the page size is that of the case's own buffers where it has some") {
  Bench b;
  Script script;
  script.page_size = 4096;
  b.registry.push_back(bench::fake::definition("pages", script));
  CHECK(b.run()[0].method.page_size == 4096);
}

TEST_CASE("a wrong answer is never a number") {
  Bench b;
  Script wrong, good;
  wrong.verifies = false;
  b.registry.push_back(bench::fake::definition("wrong", wrong));
  b.registry.push_back(bench::fake::definition("good", good));
  const auto records = b.run();
  CHECK(records[0].status == Status::failed);
  CHECK(records[0].failure == record::Failure::wrong_answer);
  CHECK(records[0].reason == "wrong answer: element 7 is 0");
  CHECK(records[0].samples.empty());
  CHECK_FALSE(records[0].metrics.at(0).value);
  CHECK(wrong.runs == 0);
  CHECK(records[1].status == Status::ok);
}

TEST_CASE("one failing case does not end the run") {
  Bench b;
  Script no_memory, dies, good;
  no_memory.throws_in_prepare = true;
  dies.throws_at_run = 7;  // in a timed interval, after warm-up
  b.registry.push_back(bench::fake::definition("no_memory", no_memory));
  b.registry.push_back(bench::fake::definition("dies", dies));
  b.registry.push_back(bench::fake::definition("good", good));
  const auto records = b.run();
  CHECK(records[0].status == Status::failed);
  CHECK(records[0].reason == "out of memory: needs 100 bytes, 10 bytes available");
  CHECK(records[1].status == Status::failed);
  CHECK(records[1].reason == "the device fell over");
  CHECK(records[2].status == Status::ok);
  CHECK(records[2].samples.size() == 5);
}

TEST_CASE("a device that cannot be opened fails its cases with its words") {
  Bench b;
  Script script;
  b.registry.push_back(bench::fake::definition("good", script));
  const auto plan = bench::plan(b.registry, {{{{"fake"}, {}}}, {{}}, false}, b.inventory, b.settings);
  bench::Hooks hooks;
  hooks.open = [](const device::Name&) -> bench::OpenedDevice { throw device::Error("no such luck"); };
  hooks.interrupted = [] { return false; };
  struct Quiet : bench::Observer {
  } quiet;
  const auto records = bench::run(plan, b.settings, hooks, quiet);
  CHECK(records[0].status == Status::failed);
  CHECK(records[0].reason == "no such luck");
}

TEST_CASE("an interrupt keeps what was measured and says what was not") {
  Bench b;
  Script first, second;
  b.settings.rounds = 50;
  first.on_run = [&] { b.interrupted = first.runs > 40; };
  b.registry.push_back(bench::fake::definition("first", first));
  b.registry.push_back(bench::fake::definition("second", second));
  const auto records = b.run();
  CHECK(records[0].status == Status::suspect);
  CHECK(records[0].samples.size() >= 1);
  CHECK(records[0].samples.size() < 50);
  CHECK(records[0].reason == "interrupted after " + std::to_string(records[0].samples.size()) + " of 50 rounds");
  CHECK(records[0].metrics.at(0).value.has_value());
}

TEST_CASE("an interrupt before anything ran leaves every case not run, with the reason") {
  Bench b;
  Script script;
  b.interrupted = true;
  b.registry.push_back(bench::fake::definition("good", script));
  const auto records = b.run();
  CHECK(records[0].status == Status::not_run);
  CHECK(records[0].reason == "interrupted before its turn");
  CHECK(script.runs == 0);
}

TEST_CASE("an interrupt while a case is checked ends the run with the check: nothing is warmed up or timed") {
  Bench b;
  Script script;
  script.on_verify = [&] { b.interrupted = true; };
  b.registry.push_back(bench::fake::definition("good", script));
  const auto records = b.run();
  CHECK(records[0].status == Status::not_run);
  CHECK(records[0].reason == "interrupted before its turn");
  CHECK(records[0].verification.status == record::Check::passed);
  CHECK(script.runs == 0);
}

TEST_CASE("a time-out ends the run likewise and counts as a failed measurement") {
  Bench b;
  Script script;
  b.settings.timeout = 1e-12;
  b.registry.push_back(bench::fake::definition("good", script));
  const auto records = b.run();
  CHECK(records[0].status == Status::not_run);
  CHECK(records[0].failure == record::Failure::measurement);
  CHECK(records[0].reason == "time-out before its turn");
}

TEST_CASE("an interval that launching dominates is suspect") {
  Bench b;
  Script script;
  script.seconds = 1e-13;  // even 2^40 repetitions stay near the empty interval's 1e-7 s
  b.settings.cache = bench::CachePolicy::cold;
  b.registry.push_back(bench::fake::definition("tiny", script));
  const auto records = b.run();
  CHECK(records[0].status == Status::suspect);
  CHECK_THAT(records[0].reason, Catch::Contains("launch-limited"));
}

TEST_CASE("throttling by a CPU quota is recorded and makes a record suspect") {
  Bench b;
  Script script;
  std::int64_t periods = 0;
  b.conditions = [&periods] {
    bench::Reading reading;
    reading.throttled_periods = ++periods;
    return reading;
  };
  b.registry.push_back(bench::fake::definition("good", script));
  const auto records = b.run();
  CHECK(records[0].status == Status::suspect);
  CHECK(*records[0].conditions.cgroup_throttled);
  CHECK_THAT(records[0].reason, Catch::Contains("throttled"));
}

TEST_CASE(
    "a long run of one case holds its first second against its last ten, with clock and power, and not where two "
    "interleave") {
  Bench b;
  b.settings.rounds = 25;
  b.settings.min_time = 1;
  Script script, other;
  script.seconds = 1;
  bench::Reading reading;
  int intervals = 0;
  b.conditions = [&] {
    ++intervals;  // one reading before each and one after
    reading.energy_uj = reading.energy_uj.value_or(0) + (intervals <= 2 ? 300 : 200) * 1000000;
    reading.seconds = reading.seconds.value_or(0) + 1;
    return reading;
  };
  b.clock = [&] { return intervals <= 2 ? 3e9 : 2e9; };
  b.registry.push_back(bench::fake::definition("long", script));
  const auto alone = b.run().at(0);
  CHECK(*alone.metric("sustained_share")->value == Approx(1));
  CHECK(*alone.metric("first_second_clock")->value == 3e9);
  CHECK(*alone.metric("last_ten_seconds_clock")->value == 2e9);
  CHECK(*alone.metric("first_second_power")->value == Approx(300));
  CHECK(*alone.metric("last_ten_seconds_power")->value == Approx(200));
  CHECK(*alone.conditions.power_w == Approx((300 + 24 * 200) / 25.0));
  b.registry.push_back(bench::fake::definition("other", other));
  CHECK(b.run().at(0).metric("sustained_share") == nullptr);
}

TEST_CASE("more threads than cores is suspect") {
  Bench b;
  Script script;
  b.registry.push_back(bench::fake::definition("good", script));
  b.registry[0].axes[1].fallback = "3";  // the fake device has two
  CHECK_THAT(b.run().at(0).reason, Catch::Contains("oversubscribed"));
}
