// The measured clock is one that a core can have, and agrees with itself.
#include "kernels/device/cpu/clock_probe.hpp"

#include <catch2/catch.hpp>

#include "tests/support/skip.hpp"

using ridge::device::cpu::effective_clock_hz;

TEST_CASE("the clock is that of a processor of our time") {
  const auto clock = effective_clock_hz();
  if (!clock) return ridge::test::skip("the probe was built without optimisation");
  // Wide, for a busy machine may stretch every try; what this catches is a chain the compiler took apart.
  CHECK(*clock > 50e6);
  CHECK(*clock < 8e9);
}
