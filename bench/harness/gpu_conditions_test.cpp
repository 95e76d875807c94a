// Some throttled samples are told, most of them are judged, and what NVML does not tell stays unknown.
#include "bench/harness/gpu_conditions.hpp"

#include <catch2/catch.hpp>

using namespace ridge;

namespace {

gpus::Sample sample(bool throttled, const char* reason = nullptr, double celsius = 50, double watts = 300) {
  gpus::Sample s;
  s.temperature_c = celsius;
  s.power_w = watts;
  s.throttled = throttled;
  if (reason != nullptr) s.throttle_reason = reason;
  return s;
}

}  // namespace

TEST_CASE("a GPU that tells nothing leaves everything unknown") {
  bench::GpuConditions gpu;
  gpu.add({});
  record::Conditions conditions;
  gpu.tell(conditions);
  CHECK_FALSE(conditions.temperature_c);
  CHECK_FALSE(conditions.power_w);
  CHECK_FALSE(conditions.throttled);
  CHECK_FALSE(gpu.mostly_throttled());
}

TEST_CASE("the highest temperature, the mean power, and one throttled sample of three") {
  bench::GpuConditions gpu;
  gpu.add(sample(false, nullptr, 50, 300));
  gpu.add(sample(true, "thermal slowdown", 85, 500));
  gpu.add(sample(false, nullptr, 70, 400));
  record::Conditions conditions;
  gpu.tell(conditions);
  CHECK(conditions.temperature_c == 85.0);
  CHECK(conditions.power_w == 400.0);
  CHECK(conditions.throttled == true);
  CHECK(conditions.throttle_reason == "thermal slowdown");
  CHECK_FALSE(gpu.mostly_throttled());
}

TEST_CASE("when most samples were throttled the record must not be trusted") {
  bench::GpuConditions gpu;
  gpu.add(sample(true, "hardware slowdown"));
  gpu.add(sample(true, "hardware slowdown"));
  gpu.add(sample(false));
  CHECK(gpu.mostly_throttled());
  CHECK(gpu.reasons() == "hardware slowdown");
}

TEST_CASE("the power cap alone is told and not judged") {
  bench::GpuConditions gpu;
  gpu.add(sample(true, "power cap"));
  gpu.add(sample(true, "power cap"));
  record::Conditions conditions;
  gpu.tell(conditions);
  CHECK(conditions.throttled == true);
  CHECK_FALSE(gpu.mostly_throttled());
}
