// The GPU's hierarchy kernels on the reference machine: right at awkward sizes in every order, and doing exactly the
// work that is stated; one access more or less in a statement is seen.
#include <catch2/catch.hpp>

#include <functional>
#include "bench/harness/proof.hpp"

#include "bench/harness/misstated.hpp"
#include "bench/hierarchy/cuda_chase.hpp"
#include "bench/hierarchy/cuda_in_flight.hpp"
#include "bench/hierarchy/cuda_shared.hpp"
#include "kernels/chase/chase_image.hpp"
#include "kernels/gpus/gpus.hpp"
#include "kernels/ptx/driver/reference.hpp"

using namespace ridge;
using namespace ridge::bench;
using device::Kind;

namespace {

constexpr std::int64_t arena_bytes = 16 << 20;

using Make = std::function<std::unique_ptr<Case>(CudaContext&)>;

struct Named {
  std::string name;
  record::Work stated;  // where the case does not tell
  bool shared = false;
  Make make;
};

// Every kernel at sizes around a vector, a warp, a block and what a loop is unrolled to.
std::vector<Named> all_cases() {
  const auto& image = chase::chase_image;
  std::vector<Named> all;
  record::Work work;
  work.bytes_written = 0;
  for (const std::int64_t lines : {1, 2, 31, 33, 1000, 5000})
    for (const std::int64_t hops : {0, 1, 15, 16, 17, 100}) {
      work.bytes_read = hops * 8;
      all.push_back(
          {"chase " + std::to_string(lines) + " lines " + std::to_string(hops) + " hops", work, false,
           [=](CudaContext& c) { return std::make_unique<hierarchy::CudaChaseCase>(c, lines, hops, image); }});
    }
  for (const std::int64_t words : {1, 2, 31, 33, 129, 8192})
    for (const std::int64_t more : {0, 1, 15, 16, 17}) {
      work.bytes_read = (words + more) * 4;
      all.push_back({"shared chase " + std::to_string(words) + " words, hops +" + std::to_string(more), work, true,
                     [=](CudaContext& c) {
                       return std::make_unique<hierarchy::SharedChaseCase>(c, words, words + more, image);
                     }});
    }
  for (const std::int64_t words : {4, 8, 1020, 1024, 1028, 4100, 8192})
    for (const std::int64_t passes : {1, 2, 5})
      all.push_back(
          {"shared read " + std::to_string(words) + " words " + std::to_string(passes) + " passes",
           {},
           true,
           [=](CudaContext& c) { return std::make_unique<hierarchy::SharedReadCase>(c, words, passes, image); }});
  for (const std::int64_t warps : {1, 2, 3, 32, 34})
    for (const std::int64_t loads : {1, 2, 4})
      for (const std::int64_t rounds : {1, 3, 8, 10})
        all.push_back({"in flight " + std::to_string(warps) + " warps " + std::to_string(loads) + " loads " +
                           std::to_string(rounds) + " rounds",
                       {},
                       false,
                       [=](CudaContext& c) {
                         // Three windows and a bit: rounds begin anew, and the bit must not be read.
                         return std::make_unique<hierarchy::InFlightCase>(c, 2 * warps * 512 * loads * 3 + 100, warps,
                                                                          loads, rounds, image);
                       }});
  return all;
}

}  // namespace

TEST_CASE("every kernel of the hierarchy is right at awkward sizes, whatever the order of warps and blocks") {
  ptx::ReferenceSettings settings;
  settings.multiprocessors = 2;
  ptx::Reference reference(settings);
  const auto driver = reference.driver();
  driver->cuInit(0);
  device::cuda::Devices devices(driver, Kind::ptx, [](const char*) -> const char* { return nullptr; });
  auto& device = devices.open(0);
  for (const ptx::Order order : {ptx::Order::forward, ptx::Order::reverse, ptx::Order::random}) {
    settings.launch.order = order;
    reference.set_launch_options(settings.launch);
    for (const Named& named : all_cases()) {
      CAPTURE(named.name, static_cast<int>(order));
      const auto arena = device.make_arena(arena_bytes);
      CudaContext context{device, *arena, 1, Fill::random};
      const auto prepared = named.make(context);
      const auto verified = prepared->verify();
      CHECK(verified.reason.empty());
      REQUIRE(verified.status == record::Check::passed);
      CHECK(verified.checked > 0);
      prepared->run(2);
      CHECK(prepared->verify().status == record::Check::passed);
    }
  }
}

TEST_CASE("the stated work of the hierarchy is what its kernels execute, and not one access more or less") {
  gpus::Gpus all({.reference_gpus = 1, .reference_memory = 64 << 20, .reference_multiprocessors = 2});
  const device::Name name{Kind::ptx, 0};
  auto& device = all.open(name);
  for (const Named& named : all_cases()) {
    CAPTURE(named.name);
    const auto arena = device.make_arena(arena_bytes);
    CudaContext context{device, *arena, 1, Fill::random};
    const auto prepared = named.make(context);
    REQUIRE(prepared->verify().status == record::Check::passed);
    auto counted = all.count(name, [&] { prepared->stream().time([&] { prepared->run(1); }); });
    REQUIRE(counted);
    CHECK(counted->launches == 1);
    if (named.shared) counted = of_shared_memory(*counted);
    auto work = prepared->work().value_or(named.stated);
    CHECK(prove(work, prepared->besides_work(), *counted).difference.empty());
    for (const record::Work& wrong : fake::misstated(work, 4, 1))
      CHECK_FALSE(prove(wrong, prepared->besides_work(), *counted).proven);
  }
}

TEST_CASE("reads of shared memory meet no bank conflict, and reads in flight are whole sectors") {
  gpus::Gpus all({.reference_gpus = 1, .reference_memory = 64 << 20, .reference_multiprocessors = 2});
  const device::Name name{Kind::ptx, 0};
  auto& device = all.open(name);
  const auto arena = device.make_arena(arena_bytes);
  CudaContext context{device, *arena, 1, Fill::random};
  hierarchy::SharedReadCase read(context, 8192, 4, chase::chase_image);
  CHECK(read.work()->items == 2);  // multiprocessors, from which its bandwidth is predicted
  CHECK(all.count(name,
                  [&] {
                    read.run(1);
                    read.stream().time([] {});
                  })
            ->bank_conflicts == 0);
  hierarchy::InFlightCase flight(context, 1 << 20, 4, 4, 16, chase::chase_image);
  const auto counted = all.count(name, [&] {
    flight.run(1);
    flight.stream().time([] {});
  });
  // 16 sectors of each request; besides, each block writes one partial result.
  CHECK(counted->sectors == 16 * (counted->requests - 2) + 2);
}

TEST_CASE("more warps than a multiprocessor holds, or than there are bytes for, skip the case with the reason") {
  gpus::Gpus all({.reference_gpus = 1, .reference_memory = 64 << 20, .reference_multiprocessors = 2});
  auto& device = all.open({Kind::ptx, 0});
  const auto arena = device.make_arena(arena_bytes);
  CudaContext context{device, *arena, 1, Fill::random};
  const auto make = [&](std::int64_t bytes, std::int64_t warps) {
    hierarchy::InFlightCase made(context, bytes, warps, 4, 1, chase::chase_image);
  };
  CHECK_THROWS_AS(make(1 << 20, 1000), device::Absent);
  CHECK_THROWS_WITH(make(1000, 1), "4096 bytes in flight are more than the 1000 bytes to read");
  CHECK_NOTHROW(make(1 << 20, 64));
}

// Registers are a necessary condition only: what the compiler for the machine schedules is not seen here.
TEST_CASE("a thread has registers for all the loads that it is to have in flight") {
  int seen = 0;
  for (const auto& kernel : device::cuda::parse_resources(chase::chase_image.resources_text())) {
    const std::string prefix = "read_in_flight_";
    if (!kernel.kernel.starts_with(prefix)) continue;
    ++seen;
    CHECK(kernel.registers > 4 * std::stoi(kernel.kernel.substr(prefix.size())));
    CHECK(kernel.spill_loads == 0);
  }
  CHECK(seen >= 3);
}
