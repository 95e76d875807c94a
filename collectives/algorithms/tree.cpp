// Up a binomial tree to rank 0, and down again.
//
// L = ⌈log2 n⌉ levels each way: to reduce L messages of s bytes for rank 0, all of them joined; to broadcast L messages
// of s bytes; an all-reduce is both. Few steps, but whole arrays: for short ones.
#include "collectives/algorithms/algorithms.hpp"

namespace ridge::collectives {
namespace {

// The level at which a rank hands its sum up: that of its lowest bit; for rank 0 the first one beyond all ranks.
int parent_level(int rank, int n) {
  int level = 1;
  while (level < n && (rank & level) == 0) level *= 2;
  return level;
}

// `sums`: where a rank that has others below it leaves what it added up, count elements.
void up(Communicator& ranks, const Arrays& mine, std::byte* sums) {
  const int n = ranks.size();
  const int rank = ranks.rank();
  const int top = parent_level(rank, n);
  std::byte* sum = input(mine);
  for (int level = 1; level < top; level *= 2)
    if (rank + level < n) {
      ranks.exchange_join(mine.rule, nobody, {}, rank + level, sum, {sums, mine.count});
      sum = sums;
    }
  if (rank != 0) ranks.exchange(mine.rule, rank - top, {sum, mine.count}, nobody, {});
}

void down(Communicator& ranks, const Arrays& mine) {
  const int rank = ranks.rank();
  const Piece result{mine.out, mine.count};
  const int top = parent_level(rank, ranks.size());
  if (rank != 0) ranks.exchange(mine.rule, nobody, {}, rank - top, result);
  for (int level = top / 2; level > 0; level /= 2)
    if (rank + level < ranks.size()) ranks.exchange(mine.rule, rank + level, result, nobody, {});
}

void all_reduce(Communicator& ranks, const Arrays& mine, std::byte*) {
  if (ranks.size() == 1) return copy(mine, mine.in, mine.out);
  up(ranks, mine, mine.out);
  down(ranks, mine);
}

void broadcast(Communicator& ranks, const Arrays& mine, std::byte*) {
  down(ranks, mine);
}

void reduce_to_0(Communicator& ranks, const Arrays& mine, std::byte* scratch) {
  if (ranks.size() == 1) return copy(mine, mine.in, mine.out);
  up(ranks, mine, ranks.rank() == 0 ? mine.out : scratch);
}

Cost cost(int n) {
  return {2.0 * levels_of(n), 2.0 * levels_of(n), 1.0 * levels_of(n)};
}
Cost broadcast_cost(int n) {
  return {1.0 * levels_of(n), 1.0 * levels_of(n), 0};
}
Cost reduce_cost(int n) {
  return {1.0 * levels_of(n), 1.0 * levels_of(n), 1.0 * levels_of(n)};
}

}  // namespace

const Algorithm tree{"tree",       "up a binomial tree to rank 0, and down again", all_reduce, cost, false, false,
                     Roles::unlike};
const Algorithm tree_broadcast{
    "tree", "down a binomial tree from rank 0", broadcast, broadcast_cost, false, false, Roles::unlike};
const Algorithm tree_reduce{"tree",       "up a binomial tree to rank 0", reduce_to_0, reduce_cost, true, false,
                            Roles::unlike};

}  // namespace ridge::collectives
