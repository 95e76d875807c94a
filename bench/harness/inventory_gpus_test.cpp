// GPUs in the inventory: their memory, their L2, and why there are none.
#include <catch2/catch.hpp>

#include "bench/harness/axis_values.hpp"
#include "bench/harness/inventory.hpp"
#include "kernels/device/cpu/host.hpp"
#include "kernels/gpus/survey.hpp"

using namespace ridge;
using device::Kind;

namespace {

constexpr std::int64_t mib = 1 << 20;

gpus::Survey two_gpus(Kind kind) {
  gpus::Survey survey;
  for (int i = 0; i < 2; ++i) {
    gpus::GpuFacts gpu;
    gpu.name = {kind, i};
    gpu.memory_bytes = 141'000 * mib;
    gpu.memory_free = 140'000 * mib;
    gpu.l2_bytes = 60 * mib;
    gpu.capability = "9.0";
    survey.gpus.push_back(gpu);
  }
  return survey;
}

device::cpu::Host small_host() {
  device::cpu::Host host;
  host.caches = {{1, "data", 32768, 2, 64}, {3, "unified", 32 * mib, 1, 64}};
  return host;
}

}  // namespace

TEST_CASE("every GPU is there, with what is free less a reserve") {
  const auto inventory = bench::make_inventory(small_host(), two_gpus(Kind::cuda), two_gpus(Kind::ptx));
  REQUIRE(inventory.devices.size() == 5);
  const auto* const second = inventory.find({Kind::cuda, 1});
  REQUIRE(second != nullptr);
  CHECK_FALSE(second->absent);
  CHECK(second->available_bytes == (140'000 - 768) * mib);
  CHECK(second->capability == "9.0");
  CHECK(inventory.find({Kind::ptx, 1}) != nullptr);
  CHECK(inventory.find({Kind::cuda, 2}) == nullptr);
}

TEST_CASE("without GPUs the first of each kind is there with the reason") {
  gpus::Survey none;
  none.reason = "driver 12.4 < 13.0";
  const auto inventory = bench::make_inventory(small_host(), none, two_gpus(Kind::ptx));
  CHECK(inventory.find({Kind::cuda, 0})->absent == "driver 12.4 < 13.0");
  CHECK_FALSE(inventory.find({Kind::ptx, 0})->absent);
}

TEST_CASE("a GPU that takes no work says so") {
  auto survey = two_gpus(Kind::cuda);
  survey.gpus[0].compute_mode = "prohibited";
  const auto inventory = bench::make_inventory(small_host(), survey, {});
  CHECK(inventory.find({Kind::cuda, 0})->absent == "its compute mode is prohibited");
  CHECK_FALSE(inventory.find({Kind::cuda, 1})->absent);
}

TEST_CASE("work on a GPU sees the GPU's L2, work on the CPU the CPU's caches") {
  const auto inventory = bench::make_inventory(small_host(), two_gpus(Kind::cuda), {});
  const auto seen = inventory.seen_by({Kind::cuda, 0});
  CHECK(seen.last_level_bytes() == 60 * mib);
  CHECK(seen.level_of(60 * mib, 1) == "L2");
  CHECK_FALSE(seen.level_of(61 * mib, 1));
  CHECK(seen.level_of(240 * mib, 1) == "memory");
  CHECK_FALSE(seen.capacity("L3", 1));
  CHECK(bench::size_for_level(seen, "memory", 1, 1.0) == 256 * mib);
  CHECK(inventory.seen_by({}).last_level_bytes() == 32 * mib);
}
