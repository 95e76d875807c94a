// Occupancies that are known on paper.
#include "kernels/device/cuda/occupancy.hpp"

#include <catch2/catch.hpp>

using ridge::device::cuda::theoretical_occupancy;

TEST_CASE("small kernels fill a multiprocessor, registers and shared memory then limit it") {
  CHECK(theoretical_occupancy("sm_80", 32, 0, 256) == 1.0);
  CHECK(theoretical_occupancy("sm_80", 33, 0, 256) == 0.75);  // 40 registers a thread: six blocks of eight warps
  CHECK(theoretical_occupancy("sm_80", 64, 0, 256) == 0.5);
  CHECK(theoretical_occupancy("sm_80", 255, 0, 256) == 0.125);
  CHECK(theoretical_occupancy("sm_90", 32, 100 * 1024, 256) == 0.25);
  CHECK(theoretical_occupancy("sm_90", 16, 0, 32) == 0.5);  // 32 blocks of one warp
  CHECK(theoretical_occupancy("sm_86", 32, 0, 256) == 1.0);
  CHECK(theoretical_occupancy("sm_86", 32, 0, 1024) == Approx(2.0 / 3));
}

TEST_CASE("a kernel that does not fit has none") {
  CHECK(theoretical_occupancy("sm_86", 32, 150 * 1024, 256) == 0.0);
}

TEST_CASE("an architecture's own variant counts as it, an unknown one has no figure") {
  CHECK(theoretical_occupancy("sm_90a", 64, 0, 256) == theoretical_occupancy("sm_90", 64, 0, 256));
  CHECK_FALSE(theoretical_occupancy("sm_75", 32, 0, 256));
  CHECK_FALSE(theoretical_occupancy("", 32, 0, 256));
  CHECK_FALSE(theoretical_occupancy("sm_90", 32, 0, 0));
}
