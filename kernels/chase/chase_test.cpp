// The cycle of the lines, every number of chains against the plain loop, and cycles that are none.
#include "kernels/chase/chase.hpp"

#include <catch2/catch.hpp>
#include <iostream>
#include <vector>

using namespace ridge::chase;

namespace {

std::vector<Line> linked(std::int64_t n, std::uint64_t seed = 1) {
  std::vector<Line> lines(static_cast<std::size_t>(n));
  link(lines, seed);
  return lines;
}

}  // namespace

TEST_CASE("links make one cycle through every line, whatever their number") {
  for (const std::int64_t n : {1, 2, 3, 15, 16, 17, 31, 33, 1000, 10'007, 1 << 16}) {
    const auto lines = linked(n);
    const Cycle cycle = walk(lines, 1);
    CAPTURE(n, cycle.reason);
    CHECK(cycle.reason.empty());
    CHECK(cycle.visited == n);
    const Line* at = lines.data();
    std::int64_t steps = 0;
    do at = at->next, ++steps;
    while (at != lines.data() && steps <= n);
    CHECK(steps == n);
  }
}

TEST_CASE("links that are not one cycle are refused, each with what is wrong") {
  constexpr std::int64_t n = 1000;
  int refused = 0;
  int made = 0;
  const auto damaged = [&](const char* mistake, auto damage) {
    auto lines = linked(n);
    damage(lines);
    const Cycle cycle = walk(lines, 1);
    ++made;
    refused += cycle.reason.empty() ? 0 : 1;
    std::cout << (cycle.reason.empty() ? "SURVIVED  " : "killed    ") << mistake << " (" << cycle.reason << ")\n";
    CHECK_FALSE(cycle.reason.empty());
  };
  damaged("a line leads to itself", [](auto& lines) { lines[3].next = &lines[3]; });
  damaged("a line is left out", [](auto& lines) { lines[3].next = lines[3].next->next; });
  damaged("two cycles", [](auto& lines) { std::swap(lines[3].next, lines[700].next); });
  damaged("back to the start too soon", [](auto& lines) { lines[500].next = &lines[0]; });
  damaged("a link out of the lines", [](auto& lines) { lines[7].next = lines.data() + lines.size(); });
  damaged("a link before the lines", [](auto& lines) { lines[7].next = lines.data() - 1; });
  damaged("a null link", [](auto& lines) { lines[7].next = nullptr; });
  damaged("every line to the next in memory", [](auto& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].next = &lines[(i + 1) % lines.size()];
  });
  damaged("linked with another seed", [](auto& lines) { link(lines, 2); });
  std::cout << refused << " of " << made << " damaged cycles refused\n";
}

TEST_CASE("chains start equal parts of the cycle apart") {
  const auto lines = linked(1003);
  for (const std::size_t k : {1, 2, 5, 16, 32}) {
    std::vector<const Line*> at(k);
    start(at, lines, 1);
    CHECK(at[0] == lines.data());
    for (std::size_t c = 0; c + 1 < k; ++c) {
      std::vector<const Line*> one{at[c]};
      plain_chase(one, 1003 / static_cast<std::int64_t>(k));
      CHECK(one[0] == at[c + 1]);
    }
  }
}

TEST_CASE("every number of chains ends where following its links one by one leads") {
  const auto lines = linked(977);
  for (int k = 1; k <= most_chains; ++k)
    for (const std::int64_t hops : {0, 1, 2, 3, 7, 15, 16, 17, 100, 1000}) {
      CAPTURE(k, hops);
      std::vector<const Line*> at(static_cast<std::size_t>(k));
      start(at, lines, 1);
      auto expected = at;
      plain_chase(expected, hops);
      REQUIRE(chase_kernel(k) != nullptr);
      chase_kernel(k)(at.data(), hops);
      CHECK(at == expected);
    }
  CHECK(chase_kernel(0) == nullptr);
  CHECK(chase_kernel(-1) == nullptr);
  CHECK(chase_kernel(most_chains + 1) == nullptr);
}
