// Linking, following and checking the chains.
#include "kernels/chase/chase.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "kernels/random/order.hpp"

namespace ridge::chase {
namespace {

constexpr int walkers = 16;

// k links in each turn of the loop; at[] is kept in registers as far as there are any (some 14 on x86-64). Beyond, a
// chain's place lies on the stack, one more hit in the first level each hop: it shows where the lines are in the first
// level themselves, and nowhere else.
template <int k>
void chase(const Line** at, std::int64_t hops) {
  constexpr int unroll = std::max(1, 16 / k);
  std::array<const Line*, k> now;
  std::copy_n(at, k, now.begin());
  std::int64_t hop = 0;
  for (; hop + unroll <= hops; hop += unroll) {
#pragma GCC unroll 16
    for (int i = 0; i < unroll; ++i) {
#pragma GCC unroll 32
      for (int c = 0; c < k; ++c) now[c] = now[c]->next;
    }
  }
  for (; hop < hops; ++hop) {
#pragma GCC unroll 32
    for (int c = 0; c < k; ++c) now[c] = now[c]->next;
  }
  std::copy_n(now.begin(), k, at);
}

template <int... k>
constexpr std::array<Chase, sizeof...(k)> table(std::integer_sequence<int, k...>) {
  return {chase<k + 1>...};
}
constexpr auto kernels = table(std::make_integer_sequence<int, most_chains>{});

}  // namespace

// In the order of memory, not of the cycle: the writes are then sequential.
void link(std::span<Line> lines, std::uint64_t seed) {
  const random::Order order(seed, static_cast<std::int64_t>(lines.size()));
  for (std::size_t i = 0; i < lines.size(); ++i)
    lines[i].next = &lines[static_cast<std::size_t>(order.next(static_cast<std::int64_t>(i)))];
}

void start(std::span<const Line*> at, std::span<const Line> lines, std::uint64_t seed) {
  const auto n = static_cast<std::int64_t>(lines.size());
  const auto k = static_cast<std::int64_t>(at.size());
  const random::Order order(seed, n);
  const std::int64_t first = order.position(0);
  for (std::int64_t c = 0; c < k; ++c)
    at[static_cast<std::size_t>(c)] = &lines[static_cast<std::size_t>(order.line((first + n / k * c) % n))];
}

Chase chase_kernel(int chains) {
  return chains >= 1 && chains <= most_chains ? kernels[static_cast<std::size_t>(chains) - 1] : nullptr;
}

void plain_chase(std::span<const Line*> at, std::int64_t hops) {
  for (const Line*& chain : at)
    for (std::int64_t hop = 0; hop < hops; ++hop) chain = chain->next;
}

// Walker w goes n / 16 steps from its start (the last one goes the rest as well) and must arrive where the next began:
// then the ways are one way, and with every line seen once it is a cycle through all.
Cycle walk(std::span<const Line> lines, std::uint64_t seed) {
  const auto n = static_cast<std::int64_t>(lines.size());
  const std::int64_t count = std::min<std::int64_t>(walkers, n);
  std::vector<const Line*> starts(static_cast<std::size_t>(count));
  start(starts, lines, seed);
  std::vector<const Line*> at = starts;
  std::vector<bool> seen(lines.size());
  Cycle result;
  const auto visit = [&](const Line*& line) {
    const auto index = static_cast<std::uint64_t>(line - lines.data());
    if (line < lines.data() || index >= lines.size()) return false;
    if (!seen[index]) ++result.visited;
    seen[index] = true;
    line = line->next;
    return true;
  };
  const std::int64_t steps = n / count;
  for (std::int64_t step = 0; step < steps + n % count; ++step)
    for (std::int64_t w = step < steps ? 0 : count - 1; w < count; ++w)
      if (!visit(at[static_cast<std::size_t>(w)])) {
        result.reason = "a link leads out of the lines";
        return result;
      }
  for (std::int64_t w = 0; w < count && result.reason.empty(); ++w)
    if (at[static_cast<std::size_t>(w)] != starts[static_cast<std::size_t>((w + 1) % count)])
      result.reason = "the links do not make one cycle";
  if (result.reason.empty() && result.visited != n) result.reason = "the cycle leaves lines out";
  return result;
}

}  // namespace ridge::chase
