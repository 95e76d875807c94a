// The measured clock is one that a core can have, and agrees with itself.
#include "kernels/device/cpu/clock_probe.hpp"

#include <catch2/catch.hpp>

using ridge::device::cpu::effective_clock_hz;

TEST_CASE("the clock is that of a processor of our time") {
#ifdef __OPTIMIZE__
  const auto clock = effective_clock_hz();
  REQUIRE(clock);
  // Wide, for a busy machine may stretch every try; what this catches is a chain the compiler took apart.
  CHECK(*clock > 50e6);
  CHECK(*clock < 8e9);
#else
  CHECK_FALSE(effective_clock_hz());
#endif
}
