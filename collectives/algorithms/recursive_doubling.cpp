// Whole arrays, between partners twice as far apart in each step: after log2 n of them everybody has everything.
//
// log2 n messages of s bytes, each joined: the fewest steps, for arrays so short that steps are all that counts. Ranks
// beyond the largest power of two p first hand their array to rank − p, and receive the sum from it: two steps more,
// and 2 s bytes.
#include "collectives/algorithms/algorithms.hpp"

namespace ridge::collectives {
namespace {

void all_reduce(Communicator& ranks, const Arrays& mine, std::byte* scratch) {
  const int p = power_below(ranks.size());
  const int rank = ranks.rank();
  const int rest = ranks.size() - p;
  const reduce::Rule& rule = mine.rule;
  const auto whole = [&](std::byte* array) { return Piece{array, mine.count}; };
  if (rank >= p) {
    ranks.exchange(rule, rank - p, whole(input(mine)), nobody, {});
    return ranks.exchange(rule, nobody, {}, rank - p, whole(mine.out));
  }
  // What is sent must stay while the sum is formed: sums alternate between two places, and the last one is in `out`.
  const int steps = log2_of(p);
  std::byte* next = steps % 2 == 1 ? mine.out : scratch;
  std::byte* other = steps % 2 == 1 ? scratch : mine.out;
  std::byte* now = input(mine);
  if (rank < rest) {
    ranks.exchange_join(rule, nobody, {}, rank + p, mine.in, whole(other));
    now = other;
  } else if (now == next || steps == 0) {
    copy(mine, mine.in, other);
    now = other;
  }
  for (int step = 0; step < steps; ++step) {
    const int partner = rank ^ 1 << step;
    ranks.exchange_join(rule, partner, whole(now), partner, now, whole(next));
    now = next;
    std::swap(next, other);
  }
  if (rank < rest) ranks.exchange(rule, rank + p, whole(mine.out), nobody, {});
}

Cost cost(int n) {
  const int p = power_below(n);
  const double rest = n > p ? 1 : 0;
  return {log2_of(p) + 2 * rest, log2_of(p) + 2 * rest, log2_of(p) + rest};
}

}  // namespace

const Algorithm recursive_doubling{"recursive_doubling",
                                   "whole arrays between partners twice as far apart each time",
                                   all_reduce,
                                   cost,
                                   true,
                                   false,
                                   Roles::alike_for_powers_of_two};

}  // namespace ridge::collectives
