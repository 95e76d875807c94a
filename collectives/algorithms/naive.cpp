// Reduce, then broadcast, both by rank 0, one rank after the other.
//
// Rank 0 receives n − 1 arrays and joins each, then sends the result n − 1 times: 2 (n − 1) messages one after the
// other, 2 (n − 1) s bytes through rank 0, (n − 1) s joined. What every other algorithm is better than.
#include "collectives/algorithms/algorithms.hpp"

namespace ridge::collectives {
namespace {

void all_reduce(Communicator& ranks, const Arrays& mine, std::byte*) {
  const reduce::Rule& rule = mine.rule;
  const Piece result{mine.out, mine.count};
  if (ranks.rank() != 0) {
    ranks.exchange(rule, 0, {input(mine), mine.count}, nobody, {});
    ranks.exchange(rule, nobody, {}, 0, result);
    return;
  }
  const std::byte* sum = mine.in;
  for (int other = 1; other < ranks.size(); ++other, sum = mine.out)
    ranks.exchange_join(rule, nobody, {}, other, sum, result);
  if (ranks.size() == 1) copy(mine, mine.in, mine.out);
  for (int other = 1; other < ranks.size(); ++other) ranks.exchange(rule, other, result, nobody, {});
}

Cost cost(int n) {
  return {2.0 * (n - 1), 2.0 * (n - 1), n - 1.0};
}

}  // namespace

const Algorithm naive{"naive", "rank 0 adds up all others and sends the sum to each", all_reduce, cost};

}  // namespace ridge::collectives
