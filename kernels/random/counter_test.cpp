// The generator: known answers, ranges, and that bits are neither stuck nor shared between sequences.
#include <catch2/catch.hpp>

#include <cmath>

#include "kernels/random/counter.hpp"

using namespace ridge::random;

TEST_CASE("position i of seed s is the i-th output of SplitMix64") {
  // The first outputs of the published algorithm seeded with 0.
  CHECK(bits(0, 0) == 0xE220A8397B1DCDAFU);
  CHECK(bits(0, 1) == 0x6E789E6AA1B965F4U);
  CHECK(bits(0, 2) == 0x06C45D188009454FU);
}

TEMPLATE_TEST_CASE("values use the whole mantissa and both signs, within ±[1, 2)", "", float, double) {
  constexpr int count = 4096;
  constexpr int mantissa = std::is_same_v<TestType, float> ? 23 : 52;
  int negative = 0;
  int lowest_bit = 0;
  for (int i = 0; i < count; ++i) {
    const auto value = full_mantissa<TestType>(bits(42, static_cast<std::uint64_t>(i)));
    REQUIRE(std::fabs(value) >= 1);
    REQUIRE(std::fabs(value) < 2);
    negative += std::signbit(value);
    lowest_bit += static_cast<int>(std::fmod(std::ldexp(std::fabs(static_cast<double>(value)), mantissa), 2.0));
  }
  CHECK(std::abs(negative - count / 2) < 200);  // six standard deviations
  CHECK(std::abs(lowest_bit - count / 2) < 200);
}

TEST_CASE("small whole numbers are 1, 2 and 3, each a third of the time") {
  int seen[4] = {};
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const auto value = small_whole<double>(bits(7, i));
    REQUIRE((value == 1 || value == 2 || value == 3));
    ++seen[static_cast<int>(value)];
  }
  for (int value = 1; value <= 3; ++value) CHECK(std::abs(seen[value] - 1000) < 160);
}

TEST_CASE("sequences of one seed differ") {
  CHECK(seed_of(1, 0) != seed_of(1, 1));
  CHECK(seed_of(1, 0) != seed_of(2, 0));
  CHECK(bits(seed_of(1, 0), 5) != bits(seed_of(1, 1), 5));
}
