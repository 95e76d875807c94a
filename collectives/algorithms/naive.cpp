// Rank 0 does everything, one rank after the other.
//
// To reduce it receives n − 1 arrays and joins each: n − 1 messages one after the other, (n − 1) s bytes through rank
// 0, as many joined. To broadcast it sends as often: n − 1 messages, (n − 1) s bytes. An all-reduce is one after the
// other. What every other algorithm is better than.
#include "collectives/algorithms/algorithms.hpp"

namespace ridge::collectives {
namespace {

void reduce_to_0(Communicator& ranks, const Arrays& mine, std::byte*) {
  if (ranks.rank() != 0) return ranks.exchange(mine.rule, 0, {input(mine), mine.count}, nobody, {});
  if (ranks.size() == 1) return copy(mine, mine.in, mine.out);
  const std::byte* sum = mine.in;
  for (int other = 1; other < ranks.size(); ++other, sum = mine.out)
    ranks.exchange_join(mine.rule, nobody, {}, other, sum, {mine.out, mine.count});
}

void broadcast_from_0(Communicator& ranks, const Arrays& mine, std::byte*) {
  const Piece result{mine.out, mine.count};
  if (ranks.rank() != 0) return ranks.exchange(mine.rule, nobody, {}, 0, result);
  for (int other = 1; other < ranks.size(); ++other) ranks.exchange(mine.rule, other, result, nobody, {});
}

void all_reduce(Communicator& ranks, const Arrays& mine, std::byte*) {
  reduce_to_0(ranks, mine, nullptr);
  broadcast_from_0(ranks, mine, nullptr);
}

Cost cost(int n) {
  return {2.0 * (n - 1), 2.0 * (n - 1), n - 1.0};
}
Cost broadcast_cost(int n) {
  return {n - 1.0, n - 1.0, 0};
}
Cost reduce_cost(int n) {
  return {n - 1.0, n - 1.0, n - 1.0};
}

}  // namespace

const Algorithm naive{
    "naive", "rank 0 adds up all others and sends the sum to each", all_reduce, cost, false, false, Roles::unlike};
const Algorithm naive_broadcast{"naive", "rank 0 sends to each", broadcast_from_0, broadcast_cost, false,
                                false,   Roles::unlike};
const Algorithm naive_reduce{"naive",      "rank 0 adds up one after the other", reduce_to_0, reduce_cost, false, false,
                             Roles::unlike};

}  // namespace ridge::collectives
