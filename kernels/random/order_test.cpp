// The computed order: a bijection, and none that could be guessed.
#include "kernels/random/order.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace ridge;

TEST_CASE("the order is a bijection that its inverse undoes, at sizes around powers of two") {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 1000, 4095, 4096, 4097})
    for (const std::uint64_t seed : {1, 2, 77}) {
      const random::Order order(seed, n);
      std::set<std::int64_t> lines;
      CAPTURE(n, seed);
      for (std::int64_t position = 0; position < n; ++position) {
        const std::int64_t line = order.line(position);
        REQUIRE(line >= 0);
        REQUIRE(line < n);
        REQUIRE(order.position(line) == position);
        lines.insert(line);
      }
      CHECK(static_cast<std::int64_t>(lines.size()) == n);
    }
}

TEST_CASE("the order follows from the seed, and no neighbour or stride could be guessed from it") {
  constexpr std::int64_t n = 1 << 14;
  const random::Order order(1, n);
  const random::Order same(1, n);
  const random::Order other(2, n);
  std::int64_t equal = 0;
  std::int64_t in_page = 0;
  std::int64_t strides = 0;
  std::int64_t last_stride = 0;
  for (std::int64_t line = 0; line < n; ++line) {
    CHECK(order.next(line) == same.next(line));
    equal += order.next(line) == other.next(line) ? 1 : 0;
    in_page += order.next(line) / 64 == line / 64 ? 1 : 0;
    const std::int64_t stride = order.line(line) - order.line(line == 0 ? n - 1 : line - 1);
    strides += stride == last_stride ? 1 : 0;
    last_stride = stride;
  }
  CHECK(equal < 10);     // 1 expected
  CHECK(in_page < 130);  // 64 expected
  CHECK(strides < 10);   // 1 expected
}
