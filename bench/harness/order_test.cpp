// Each round holds every case once; the seed alone decides the order.
#include "bench/harness/order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace ridge::bench;

TEST_CASE("every round has each member exactly once, and rounds come in order") {
  const auto order = make_order(7, 5, 42);
  REQUIRE(order.size() == 35);
  for (int round = 0; round < 5; ++round) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < 7; ++i) {
      CHECK(order[static_cast<std::size_t>(round) * 7 + i].round == round);
      members.push_back(order[static_cast<std::size_t>(round) * 7 + i].member);
    }
    std::sort(members.begin(), members.end());
    CHECK(members == std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6});
  }
}

TEST_CASE("the same seed gives the same order, another seed another") {
  const auto text = [](std::uint64_t seed) {
    std::string s;
    for (const Turn& turn : make_order(10, 3, seed)) s += std::to_string(turn.member);
    return s;
  };
  CHECK(text(1) == text(1));
  CHECK(text(1) != text(2));
  CHECK(text(1).substr(0, 10) != text(1).substr(10, 10));  // rounds differ from each other
}
