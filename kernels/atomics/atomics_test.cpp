// Counting and handing over on threads of a CPU, and the closed forms.
#include "kernels/atomics/atomics.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <numeric>
#include <thread>
#include <vector>

using namespace ridge::atomics;

TEST_CASE("what is found on a counter is each number below its end once") {
  std::uint64_t sum = 0;
  for (std::uint64_t additions = 0; additions < 100; ++additions) {
    CHECK(found_by(additions) == sum);
    sum += additions;
  }
}

TEST_CASE("additions by several threads are all there, and each found another number") {
  for (const auto count : {cpu_add, cpu_cas})
    for (const int threads : {1, 2, 3}) {
      alignas(64) std::uint64_t counter = 0;
      std::vector<std::uint64_t> found(static_cast<std::size_t>(threads));
      {
        std::vector<std::jthread> team;
        for (auto& each : found) team.emplace_back([&counter, &each, count] { each = count(&counter, 5000); });
      }
      CHECK(counter == 5000U * static_cast<unsigned>(threads));
      CHECK(std::accumulate(found.begin(), found.end(), std::uint64_t{0}) == found_by(counter));
    }
}

TEST_CASE("a handover ends two higher for each round trip, and goes on from there") {
  alignas(64) std::uint64_t word = 6;
  for (const std::int64_t trips : {1, 100}) {
    const std::uint64_t before = word;
    std::jthread other([&word, trips] { cpu_hand_over(&word, 1, trips); });
    cpu_hand_over(&word, 0, trips);
    other.join();
    CHECK(word == before + 2 * static_cast<std::uint64_t>(trips));
  }
}

TEST_CASE("counters lie where the layout says: one, a line, a word or a sector apart") {
  CHECK(gpu_layout(Counters::one, 512).sharing == 512);
  CHECK(gpu_layout(Counters::warp, 512).sharing == 32);
  CHECK(gpu_layout(Counters::warp, 512).apart * 4 == 128);
  CHECK(gpu_layout(Counters::neighbours, 512).apart == 1);
  CHECK(gpu_layout(Counters::spread, 512).apart * 4 == 32);
  CHECK(cpu_layout(Counters::spread, 4).apart * 8 == 128);
  CHECK(cpu_layout(Counters::neighbours, 4).apart == 1);
  CHECK(cpu_layout(Counters::one, 4).sharing == 4);
  for (const auto* name : {"one", "warp", "neighbours", "spread"}) CHECK(counters_from(name));
  CHECK_FALSE(counters_from("two"));
}
