// Up a binomial tree to rank 0, and down again.
//
// ⌈log2 n⌉ levels each way: 2 ⌈log2 n⌉ messages of s bytes for rank 0, half of them joined. Few steps, but whole
// arrays: for broadcasts and short arrays.
#include "collectives/algorithms/algorithms.hpp"

namespace ridge::collectives {
namespace {

void all_reduce(Communicator& ranks, const Arrays& mine, std::byte*) {
  const int n = ranks.size();
  const int rank = ranks.rank();
  const reduce::Rule& rule = mine.rule;
  const Piece result{mine.out, mine.count};
  std::byte* sum = input(mine);
  int level = 1;
  for (; level < n && (rank & level) == 0; level *= 2)
    if (rank + level < n) {
      ranks.exchange_join(rule, nobody, {}, rank + level, sum, result);
      sum = mine.out;
    }
  if (rank != 0) {
    ranks.exchange(rule, rank - level, {sum, mine.count}, nobody, {});
    ranks.exchange(rule, nobody, {}, rank - level, result);
  } else if (n == 1) {
    copy(mine, mine.in, mine.out);
  }
  for (level /= 2; level > 0; level /= 2)
    if (rank + level < n) ranks.exchange(rule, rank + level, result, nobody, {});
}

Cost cost(int n) {
  const int levels = log2_of(power_below(n)) + (power_below(n) < n ? 1 : 0);
  return {2.0 * levels, 2.0 * levels, 1.0 * levels};
}

}  // namespace

const Algorithm tree{"tree", "up a binomial tree to rank 0, and down again", all_reduce, cost};

}  // namespace ridge::collectives
