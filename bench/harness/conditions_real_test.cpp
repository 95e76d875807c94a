// Throttling by a real CPU quota is seen by the sampler, where this machine lets a test set one.
#include <catch2/catch.hpp>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>

#include "bench/harness/conditions.hpp"
#include "tests/support/cgroup.hpp"
#include "tests/support/skip.hpp"

using namespace ridge;

TEST_CASE("spinning for longer than the quota of a real control group is throttled") {
  const test::Cgroup group("cpu", test::half_a_core());
  if (group.reason()) return test::skip(*group.reason());
  const auto answer = group.run([]() -> std::string {
    const bench::ConditionSource source({0});
    bench::ConditionSampler sampler([&] { return source.read(); });
    sampler.begin();
    // A period of 100 ms in which this process gets its half core ends throttled; on a busy machine it may get less.
    const auto begun = std::chrono::steady_clock::now();
    const auto passed = [begun] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    };
    std::optional<bool> throttled;
    while (!throttled.value_or(false) && passed() < 5.0) {
      const double until = passed() + 0.3;
      while (passed() < until) continue;
      sampler.end();
      throttled = sampler.conditions().cgroup_throttled;
      sampler.begin();
    }
    const double share = static_cast<double>(std::clock()) / CLOCKS_PER_SEC / passed();
    return !throttled ? "unknown" : *throttled ? "throttled" : share < 0.45 ? "starved" : "not throttled";
  });
  if (answer == "starved") return test::skip("other work leaves this process less than its quota");
  CHECK(answer == "throttled");
}
