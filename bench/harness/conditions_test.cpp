// Throttling, stolen time, switches and heat over intervals: from both control-group versions, through resets and junk.
#include "bench/harness/conditions.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <deque>
#include <thread>

#include "kernels/device/cpu/team.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/skip.hpp"

using namespace ridge;
using bench::ConditionSampler;
using bench::ConditionSource;
using bench::Reading;
using test::Folder;

namespace {

ConditionSource source_in(const Folder& folder, std::vector<int> affinity = {0}) {
  return ConditionSource(std::move(affinity), folder.text());
}

// The conditions over intervals whose readings are given as before, after, before, after, …
record::Conditions over(std::deque<Reading> readings) {
  const auto intervals = readings.size() / 2;
  ConditionSampler sampler([&readings] {
    const auto next = readings.front();
    readings.pop_front();
    return next;
  });
  for (std::size_t i = 0; i < intervals; ++i) {
    sampler.begin();
    sampler.end();
  }
  return sampler.conditions();
}

}  // namespace

TEST_CASE("version 1: throttling of every level of the path counts") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "4:cpu,cpuacct:/jobs/one\n");
  folder.write("/proc/self/mountinfo", "30 20 0:1 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
  folder.write("/sys/fs/cgroup/cpu/jobs/one/cpu.stat", "nr_periods 9\nnr_throttled 2\nthrottled_time 700\n");
  folder.write("/sys/fs/cgroup/cpu/jobs/cpu.stat", "nr_periods 9\nnr_throttled 5\nthrottled_time 11\n");
  const auto reading = source_in(folder).read();
  CHECK(reading.throttled_periods == 7);
  CHECK(reading.throttled_time == 711);
}

TEST_CASE("version 2: the root has no throttling, the levels below it do") {
  const Folder folder;
  folder.write("/proc/self/cgroup", "0::/box\n");
  folder.write("/sys/fs/cgroup/cpu.stat", "usage_usec 233127404\nuser_usec 183418992\n");
  CHECK_FALSE(source_in(folder).read().throttled_periods);
  folder.write("/sys/fs/cgroup/box/cpu.stat", "usage_usec 1\nnr_periods 4\nnr_throttled 3\nthrottled_usec 20\n");
  CHECK(source_in(folder).read().throttled_periods == 3);
  CHECK(source_in(folder).read().throttled_time == 20);
}

TEST_CASE("stolen time is that of our CPUs only, guest time is not counted twice") {
  const Folder folder;
  folder.write("/proc/stat",
               "cpu  999 999 999 999 999 999 999 999 0 0\n"
               "cpu0 10 20 30 400 50 1 2 7 5 5\ncpu1 1000 0 0 0 0 0 0 1000 0 0\ncpu10 1 1 1 1 1 1 1 1 0 0\n");
  const auto one = source_in(folder, {0}).read();
  CHECK(one.steal_ticks == 7);
  CHECK(one.busy_ticks == 70);
  const auto two = source_in(folder, {0, 10}).read();
  CHECK(two.steal_ticks == 8);
  CHECK(two.busy_ticks == 76);
  CHECK_FALSE(source_in(folder, {2}).read().steal_ticks);
}

TEST_CASE("heat is counted once per package") {
  const Folder folder;
  for (const char* cpu : {"0", "1", "2"}) {
    const std::string base = std::string("/sys/devices/system/cpu/cpu") + cpu;
    folder.write(base + "/topology/physical_package_id", std::string(cpu) == "2" ? "1\n" : "0\n");
    folder.write(base + "/thermal_throttle/package_throttle_count", "4\n");
  }
  CHECK(source_in(folder, {0, 1, 2}).read().thermal_events == 8);
}

TEST_CASE("junk and nothing are absent") {
  const Folder folder;
  CHECK_FALSE(source_in(folder).read().busy_ticks);
  CHECK_FALSE(source_in(folder).read().involuntary_switches);
  CHECK_FALSE(source_in(folder).read().run_delay);
  folder.write("/proc/self/cgroup", "0::/box\n");
  folder.write("/sys/fs/cgroup/box/cpu.stat", "nr_throttled many\nthrottled_usec -3\n");
  folder.write("/proc/stat", "cpu0 1 2 three 4 5 6 7 8\n");
  folder.write("/proc/self/status", "nonvoluntary_ctxt_switches:\t\n");
  const auto reading = source_in(folder).read();
  CHECK_FALSE(reading.throttled_periods);
  CHECK_FALSE(reading.throttled_time);
  CHECK_FALSE(reading.busy_ticks);
  CHECK_FALSE(reading.involuntary_switches);
}

TEST_CASE("without anything told all conditions are unknown") {
  const auto conditions = over({{}, {}});
  CHECK_FALSE(conditions.cgroup_throttled);
  CHECK_FALSE(conditions.steal_fraction);
  CHECK_FALSE(conditions.involuntary_switches);
  CHECK_FALSE(conditions.run_delay_fraction);
  CHECK_FALSE(conditions.throttled);
  CHECK_FALSE(conditions.clock_hz);
}

TEST_CASE("throttling within an interval is seen, between intervals it is not") {
  const Reading at5{.throttled_periods = 5, .throttled_time = 100};
  const Reading at6{.throttled_periods = 6, .throttled_time = 100};
  const Reading ended{.throttled_periods = 5, .throttled_time = 130};
  CHECK(over({at5, at5}).cgroup_throttled == false);
  CHECK(over({at5, at6}).cgroup_throttled == true);
  CHECK(over({at5, ended}).cgroup_throttled == true);
  CHECK(over({at5, at5, at6, at6}).cgroup_throttled == false);
}

TEST_CASE("shares and counts are summed over intervals, a counter that fell is left out") {
  const auto at = [](std::int64_t steal, std::int64_t busy, std::int64_t switches) {
    return Reading{.steal_ticks = steal, .busy_ticks = busy, .involuntary_switches = switches};
  };
  const auto conditions = over({at(0, 0, 1), at(5, 50, 4), at(100, 500, 9), at(105, 550, 9)});
  CHECK(conditions.steal_fraction == Approx(0.1));
  CHECK(conditions.involuntary_switches == 3);
  const auto reset = over({at(50, 100, 7), at(0, 900, 2), at(0, 900, 2), at(20, 1000, 5)});
  CHECK(reset.steal_fraction == Approx(0.2));
  CHECK(reset.involuntary_switches == 3);
}

TEST_CASE("what threads waited for their CPUs is added up, whatever their numbers") {
  const Folder folder;
  const std::string caller = fmt::format("/proc/self/task/{}/schedstat", ::getpid());
  folder.write(caller, "1000 20 3\n");
  folder.write("/proc/self/task/4194304/comm", "ridge-team\n");
  folder.write("/proc/self/task/4194304/schedstat", "5 300 1\n");
  folder.write("/proc/self/task/8/comm", "ridge-team\n");
  folder.write("/proc/self/task/8/schedstat", "junk 20 3\n");
  folder.write("/proc/self/task/10/comm", "ridge\n");  // of a library
  folder.write("/proc/self/task/10/schedstat", "5 7000 1\n");
  folder.write("/proc/self/task/9/status", "nothing else\n");
  CHECK(source_in(folder).read().run_delay == 320);
  CHECK(source_in(folder).read().seconds);
}

TEST_CASE("the share that threads waited is of the time between the readings, and a sum that fell is left out") {
  const auto at = [](std::int64_t delay, double nanoseconds) {
    return Reading{.run_delay = delay, .seconds = 1e-9 * nanoseconds};
  };
  CHECK(over({at(100, 1000), at(150, 2000), at(150, 9000), at(400, 10000)}).run_delay_fraction == Approx(0.15));
  CHECK(over({at(100, 1000), at(100, 2000)}).run_delay_fraction == Approx(0.0).margin(0));
  CHECK(over({at(500, 1000), at(100, 2000), at(0, 3000), at(100, 4000)}).run_delay_fraction == Approx(0.1));
  CHECK_FALSE(over({at(500, 1000), at(100, 2000)}).run_delay_fraction);
}

TEST_CASE("a thread whose CPU another one has waits for it") {
  const ConditionSource source({0}, "/");
  if (!source.read().run_delay) return test::skip("needs a kernel that counts what threads wait for a CPU");
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  ConditionSampler sampler([&source] { return source.read(); });
  std::atomic<bool> measured{false};
  const auto spin = [&] {
    ::pthread_setaffinity_np(::pthread_self(), sizeof one, &one);
    ::pthread_setname_np(::pthread_self(), device::cpu::team_name);
    while (!measured) {
    }
  };
  sampler.begin();
  std::thread first(spin);
  std::thread second(spin);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  sampler.end();  // while both are alive
  measured = true;
  first.join();
  second.join();
  CHECK(sampler.conditions().run_delay_fraction.value_or(0) > 0.3);
}

TEST_CASE("too few ticks make no share") {
  const Reading none{.steal_ticks = 0, .busy_ticks = 0};
  CHECK_FALSE(over({none, Reading{.steal_ticks = 1, .busy_ticks = 19}}).steal_fraction);
  CHECK(over({none, Reading{.steal_ticks = 1, .busy_ticks = 20}}).steal_fraction == Approx(0.05));
}

TEST_CASE("heat in an interval has a reason") {
  const auto conditions = over({Reading{.thermal_events = 1}, Reading{.thermal_events = 3}});
  CHECK(conditions.throttled == true);
  CHECK(conditions.throttle_reason == "heat, 2 events");
  CHECK(over({Reading{.thermal_events = 3}, Reading{.thermal_events = 3}}).throttled == false);
}

TEST_CASE("energy is that of all packages, and of nothing that holds them again") {
  const Folder folder;
  CHECK_FALSE(source_in(folder).read().energy_uj);
  const auto zone = [&](const std::string& number, const char* name, const char* energy) {
    folder.write("/sys/class/powercap/intel-rapl:" + number + "/name", std::string(name) + "\n");
    folder.write("/sys/class/powercap/intel-rapl:" + number + "/energy_uj", std::string(energy) + "\n");
  };
  zone("0", "package-0", "1000");
  zone("1", "package-1", "200");
  zone("2", "psys", "50000");
  zone("0:0", "core", "700");
  const auto reading = source_in(folder).read();
  CHECK(reading.energy_uj == 1200);
  CHECK(reading.seconds);
  zone("0", "package-0", "junk");
  zone("1", "package-1", "");
  CHECK_FALSE(source_in(folder).read().energy_uj);
}

TEST_CASE("power is energy by time within intervals, without those in which the counter began anew") {
  const auto at = [](std::int64_t joules, double seconds) {
    return Reading{.energy_uj = joules * 1000000, .seconds = seconds};
  };
  CHECK(over({at(100, 1), at(300, 2), at(9000, 10), at(9400, 12)}).power_w == Approx(200));
  CHECK(over({at(100, 1), at(300, 2), at(9000, 10), at(20, 12)}).power_w == Approx(200));
  CHECK_FALSE(over({at(100, 1), at(100, 1)}).power_w);
  CHECK_FALSE(over({Reading{}, at(100, 1)}).power_w);
  CHECK(over({at(100, 1), at(100, 2)}).power_w == Approx(0));
}

TEST_CASE("each interval's end has the clock and the power of that interval") {
  std::deque<Reading> readings{{.energy_uj = 0, .seconds = 0},        {.energy_uj = 50000000, .seconds = 1},
                               {.energy_uj = 50000000, .seconds = 5}, {.energy_uj = 250000000, .seconds = 7},
                               {.energy_uj = 0, .seconds = 8},        Reading{}};
  std::deque<std::optional<double>> clocks{3e9, 2e9, std::nullopt};
  const auto next = [](auto& from) {
    const auto value = from.front();
    from.pop_front();
    return value;
  };
  ConditionSampler sampler([&] { return next(readings); }, [&] { return next(clocks); });
  CHECK_FALSE(sampler.last().clock_hz);
  for (const auto& [hz, watts] : {std::pair{3e9, 50.0}, std::pair{2e9, 100.0}}) {
    sampler.begin();
    sampler.end();
    CHECK(sampler.last().clock_hz == hz);
    CHECK(sampler.last().power_w == Approx(watts));
  }
  sampler.begin();
  sampler.end();
  CHECK_FALSE(sampler.last().clock_hz);
  CHECK_FALSE(sampler.last().power_w);
}

TEST_CASE("the clock is the median of what was told at the ends") {
  std::deque<std::optional<double>> clocks{3e9, std::nullopt, 1e9, 2.9e9};
  ConditionSampler sampler([] { return Reading{}; },
                           [&] {
                             const auto next = clocks.front();
                             clocks.pop_front();
                             return next;
                           });
  for (int i = 0; i < 4; ++i) {
    sampler.begin();
    sampler.end();
  }
  CHECK(sampler.conditions().clock_hz == 2.9e9);
}

TEST_CASE("an end without a begin counts nothing") {
  std::deque<Reading> readings{Reading{.involuntary_switches = 1}, Reading{.involuntary_switches = 2}};
  ConditionSampler sampler([&] {
    const auto next = readings.front();
    readings.pop_front();
    return next;
  });
  sampler.end();
  CHECK(readings.size() == 2);
  sampler.begin();
  sampler.end();
  sampler.end();
  CHECK(sampler.conditions().involuntary_switches == 1);
}

TEST_CASE("this machine's own counters are readable and do not fall") {
  const ConditionSource source({0});
  const auto before = source.read();
  const auto after = source.read();
  REQUIRE(before.involuntary_switches);
  CHECK(after.involuntary_switches.value_or(-1) >= *before.involuntary_switches);
}
