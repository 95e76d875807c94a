// Throttling by a real CPU quota is seen by the sampler, where this machine lets a test set one.
#include <catch2/catch.hpp>
#include <chrono>

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
    // Three periods of 100 ms: at half a core each of them ends throttled.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    while (std::chrono::steady_clock::now() < end) continue;
    sampler.end();
    const auto throttled = sampler.conditions().cgroup_throttled;
    return !throttled ? "unknown" : *throttled ? "throttled" : "not throttled";
  });
  CHECK(answer == "throttled");
}
