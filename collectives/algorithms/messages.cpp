// What is little more than messages: all-to-all by pairs, sending round a ring, and barriers.
//
// Pairwise: in step t a rank sends its block for rank + t and receives that of rank − t, so that no two send to the
// same rank at once: n − 1 messages of s/n bytes. Exchange: one message of s bytes to the right while one comes from
// the left. Dissemination (Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", 1988): in round k an
// empty message goes to rank + 2^k; after ⌈log2 n⌉ rounds every rank has heard, through others, of all. Central: what
// the communicator itself offers; between threads one counter that all add to, and all watch.
#include "collectives/algorithms/algorithms.hpp"

namespace ridge::collectives {
namespace {

void all_to_all(Communicator& ranks, const Arrays& mine, std::byte*) {
  const int n = ranks.size();
  const int rank = ranks.rank();
  const auto piece = [&](std::byte* array, int b) { return piece_of(array, mine, equal_block(mine, b, n)); };
  const Piece own = piece(input(mine), rank);
  copy(mine, own.data, piece(mine.out, rank).data, own.count);
  for (int step = 1; step < n; ++step) {
    const int to = (rank + step) % n;
    const int from = (rank + n - step) % n;
    ranks.exchange(mine.rule, to, piece(input(mine), to), from, piece(mine.out, from));
  }
}

void send_receive(Communicator& ranks, const Arrays& mine, std::byte*) {
  const int n = ranks.size();
  if (n == 1) return copy(mine, mine.in, mine.out);
  ranks.exchange(mine.rule, (ranks.rank() + 1) % n, {input(mine), mine.count}, (ranks.rank() + n - 1) % n,
                 {mine.out, mine.count});
}

void central_barrier(Communicator& ranks, const Arrays&, std::byte*) {
  ranks.barrier();
}

void dissemination_barrier(Communicator& ranks, const Arrays& mine, std::byte*) {
  const int n = ranks.size();
  for (int distance = 1; distance < n; distance *= 2)
    ranks.exchange(mine.rule, (ranks.rank() + distance) % n, {}, (ranks.rank() + n - distance) % n, {});
}

Cost all_to_all_cost(int n) {
  return {n - 1.0, (n - 1.0) / n, 0};
}
Cost send_receive_cost(int n) {
  return {n > 1 ? 1.0 : 0.0, n > 1 ? 1.0 : 0.0, 0};
}
Cost central_cost(int n) {
  return {n > 1 ? 2.0 : 0.0, 0, 0};
}
Cost dissemination_cost(int n) {
  return {1.0 * levels_of(n), 0, 0};
}

}  // namespace

const Algorithm pairwise{"pairwise", "block by block, with a rank further away each time", all_to_all, all_to_all_cost};
const Algorithm exchange{"exchange", "to the right while receiving from the left", send_receive, send_receive_cost};
const Algorithm central{"central", "one counter that all watch", central_barrier, central_cost};
const Algorithm dissemination{"dissemination", "empty messages to ranks twice as far away each time",
                              dissemination_barrier, dissemination_cost};

}  // namespace ridge::collectives
