// Sets of bytes against a plain list of flags.
#include "kernels/ptx/machine/byte_set.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

namespace ridge::ptx {
namespace {

TEST_CASE("a set of bytes counts what a list of flags counts") {
  constexpr u64 size = 1000;
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    ByteSet set(size);
    std::vector<char> flags(size);
    for (int i = 0; i < 12; ++i) {
      const u64 bytes = round % 2 ? 1 + random() % 16 : 1 + random() % 400;
      const u64 from = random() % (size - bytes + 1);
      set.add(from, bytes);
      std::fill_n(flags.begin() + static_cast<std::ptrdiff_t>(from), bytes, char{1});
      REQUIRE(set.count() == static_cast<u64>(std::count(flags.begin(), flags.end(), 1)));
    }
  }
}

TEST_CASE("runs that end at words and at the end of the set") {
  for (const u64 from : {0, 1, 31, 32, 63, 64}) {
    for (const u64 bytes : {1, 31, 32, 33, 63, 64, 65, 128}) {
      ByteSet set(from + bytes);
      set.add(from, bytes);
      INFO(from << " + " << bytes);
      CHECK(set.count() == bytes);
    }
  }
}

TEST_CASE("the union of two sets counts common bytes once") {
  ByteSet a(100), b(200);
  a.add(0, 60);
  b.add(50, 120);
  a.add(b);
  CHECK(a.count() == 170);
  a.clear();
  CHECK(a.count() == 0);
}

}  // namespace
}  // namespace ridge::ptx
