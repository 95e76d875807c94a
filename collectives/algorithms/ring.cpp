// Each rank talks to its neighbours only: the array in n blocks, which go round twice (Patarasuk, Yuan, "Bandwidth
// optimal all-reduce algorithms for clusters of workstations", 2009).
//
// First round (reduce-scatter): in step t a rank sends block rank − t to the right and joins block rank − t − 1 that
// comes from the left; after n − 1 steps it holds the whole sum of block rank + 1. Second round (all-gather): the sums
// go round once more. 2 (n − 1) messages of s/n bytes: 2 (n − 1)/n · s received, which is the least there can be, and
// (n − 1)/n · s joined.
#include "collectives/algorithms/algorithms.hpp"

namespace ridge::collectives {
namespace {

void all_reduce(Communicator& ranks, const Arrays& mine, std::byte*) {
  const int n = ranks.size();
  const int rank = ranks.rank();
  if (n == 1) return copy(mine, mine.in, mine.out);
  const int right = (rank + 1) % n;
  const int left = (rank + n - 1) % n;
  const auto block = [&](int b) { return block_of(mine, (b + 2 * n) % n, n); };
  const auto piece = [&](std::byte* array, const Block& b) { return Piece{at(array, mine, b.begin), b.count()}; };
  for (int step = 0; step < n - 1; ++step) {
    const Block joined = block(rank - step - 1);
    ranks.exchange_join(mine.rule, right, piece(step == 0 ? input(mine) : mine.out, block(rank - step)), left,
                        at(input(mine), mine, joined.begin), piece(mine.out, joined));
  }
  for (int step = 0; step < n - 1; ++step)
    ranks.exchange(mine.rule, right, piece(mine.out, block(rank + 1 - step)), left,
                   piece(mine.out, block(rank - step)));
}

Cost cost(int n) {
  return {2.0 * (n - 1), 2.0 * (n - 1) / n, (n - 1.0) / n};
}

}  // namespace

const Algorithm ring{"ring", "blocks go round twice, once to be added up and once as sums", all_reduce, cost};

}  // namespace ridge::collectives
