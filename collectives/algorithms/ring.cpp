// Each rank talks to its neighbours only: the array in n blocks, which go round (Patarasuk, Yuan, "Bandwidth optimal
// all-reduce algorithms for clusters of workstations", 2009).
//
// Adding up (reduce-scatter): in step t a rank sends block rank − t − 1 to the right and joins block rank − t − 2 that
// comes from the left; after n − 1 steps it holds the whole sum of its own block. n − 1 messages of s/n bytes,
// (n − 1)/n · s through each rank and as many joined. Handing on (all-gather): blocks go round once, n − 1 messages,
// (n − 1)/n · s. An all-reduce is one after the other: 2 (n − 1)/n · s, which is the least there can be.
#include "collectives/algorithms/algorithms.hpp"

namespace ridge::collectives {
namespace {

struct Neighbours {
  explicit Neighbours(const Communicator& ranks)
      : n(ranks.size()), rank(ranks.rank()), right((rank + 1) % n), left((rank + n - 1) % n) {}
  [[nodiscard]] int block(int b) const { return (b + 2 * n) % n; }
  int n, rank, right, left;
};

// `sums(step, b)`: where the sums of block b are left in that step; not where the step before left its own.
template <class BlockOf, class Sums>
void add_up(Communicator& ranks, const Arrays& mine, const BlockOf& block_at, const Sums& sums) {
  const Neighbours ring(ranks);
  std::byte* sent = at(input(mine), mine, block_at(ring.block(ring.rank - 1)).begin);
  for (int step = 0; step < ring.n - 1; ++step) {
    const int joined = ring.block(ring.rank - step - 2);
    const Block block = block_at(joined);
    std::byte* const result = sums(step, joined);
    ranks.exchange_join(mine.rule, ring.right, {sent, block_at(ring.block(ring.rank - step - 1)).count()}, ring.left,
                        at(input(mine), mine, block.begin), {result, block.count()});
    sent = result;
  }
}

// Every rank has its own block of `out`, then all have all.
template <class BlockOf>
void hand_on(Communicator& ranks, const Arrays& mine, const BlockOf& block_at) {
  const Neighbours ring(ranks);
  for (int step = 0; step < ring.n - 1; ++step)
    ranks.exchange(mine.rule, ring.right, piece_of(mine.out, mine, block_at(ring.block(ring.rank - step))), ring.left,
                   piece_of(mine.out, mine, block_at(ring.block(ring.rank - step - 1))));
}

void all_reduce(Communicator& ranks, const Arrays& mine, std::byte*) {
  const int n = ranks.size();
  if (n == 1) return copy(mine, mine.in, mine.out);
  const auto block_at = [&](int b) { return block_of(mine, b, n); };
  add_up(ranks, mine, block_at, [&](int, int b) { return at(mine.out, mine, block_at(b).begin); });
  hand_on(ranks, mine, block_at);
}

void all_gather(Communicator& ranks, const Arrays& mine, std::byte*) {
  const auto block_at = [&](int b) { return equal_block(mine, b, ranks.size()); };
  const Block own = block_at(ranks.rank());
  copy(mine, mine.in, at(mine.out, mine, own.begin), own.count());
  hand_on(ranks, mine, block_at);
}

// Sums on their way lie in the scratch array, in two places by turns.
void reduce_scatter(Communicator& ranks, const Arrays& mine, std::byte* scratch) {
  const int n = ranks.size();
  if (n == 1) return copy(mine, mine.in, mine.out);
  const auto block_at = [&](int b) { return equal_block(mine, b, n); };
  add_up(ranks, mine, block_at,
         [&](int step, int) { return step == n - 2 ? mine.out : at(scratch, mine, step % 2 * (mine.count / n)); });
}

Cost cost(int n) {
  return {2.0 * (n - 1), 2.0 * (n - 1) / n, (n - 1.0) / n};
}
Cost gather_cost(int n) {
  return {n - 1.0, (n - 1.0) / n, 0};
}
Cost scatter_cost(int n) {
  return {n - 1.0, (n - 1.0) / n, (n - 1.0) / n};
}

}  // namespace

const Algorithm ring{"ring", "blocks go round twice, once to be added up and once as sums", all_reduce, cost};
const Algorithm ring_all_gather{"ring", "blocks go round once", all_gather, gather_cost};
const Algorithm ring_reduce_scatter{"ring", "blocks go round once and are added up on the way", reduce_scatter,
                                    scatter_cost, true};

}  // namespace ridge::collectives
