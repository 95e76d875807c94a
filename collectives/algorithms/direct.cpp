// Where all ranks see all arrays, no message is needed: each rank adds up its own part of everybody's array, straight
// from where they are, and puts the sum where everybody wants it.
//
// Every element is read once from each input and written once to each output: n · s/n read and n · s/n written by each
// rank, of which all but its own part are others': 2 (n − 1)/n · s, as few as the ring's, without a copy in between and
// in two steps, the meeting and the parting. A handful of elements is cheaper still left with all ranks at once, one
// step.
#include "collectives/algorithms/algorithms.hpp"

#include <array>
#include <stdexcept>

#include "collectives/communicator/threads.hpp"

namespace ridge::collectives {
namespace {

void all_reduce(Communicator& ranks, const Arrays& mine, std::byte*) {
  if (ranks.size() == 1) return copy(mine, mine.in, mine.out);
  if (ranks.all_at_once(mine)) return;
  const auto all = ranks.meet(mine);
  if (all.empty()) throw std::logic_error("the direct all-reduce needs one address space");
  std::array<const void*, most_ranks> sources;
  std::array<void*, most_ranks> targets;
  for (std::size_t r = 0; r < all.size(); ++r) {
    sources[r] = all[r].in;
    targets[r] = all[r].out;
  }
  const Block part = block_of(mine, ranks.rank(), ranks.size());
  reduce::combine(mine.rule, {sources.data(), all.size()}, {targets.data(), all.size()}, part.begin, part.end);
  ranks.leave();
}

Cost cost(int n) {
  return {n > 1 ? 2.0 : 0.0, 2.0 * (n - 1) / n, (n - 1.0) / n};
}

}  // namespace

const Algorithm direct{"direct", "each rank adds up its part of all arrays where they are, and writes it to all",
                       all_reduce, cost};

}  // namespace ridge::collectives
