// Where all ranks see all arrays, no message is needed: each rank takes what it wants from where it is.
//
// Two steps, the meeting and the parting. All-reduce: each rank adds up its own part of everybody's array and puts the
// sum where everybody wants it; every element is read once from each input and written once to each output, of which
// all but a rank's own part are others': 2 (n − 1)/n · s, as few as the ring's, without a copy in between. A handful of
// elements is cheaper still left with all ranks at once, one step. Reduce: the same, put to rank 0 alone. The others:
// each rank reads what it is to have, (n − 1)/n · s of it others', in a broadcast s.
#include "collectives/algorithms/algorithms.hpp"

#include <array>
#include <stdexcept>

#include "collectives/communicator/threads.hpp"

namespace ridge::collectives {
namespace {

std::span<const Arrays> meet(Communicator& ranks, const Arrays& mine) {
  const auto all = ranks.meet(mine);
  if (all.empty()) throw std::logic_error("a direct algorithm needs one address space");
  return all;
}

// [begin, end) of all inputs into the outputs of the first `targets` ranks.
void add_up(std::span<const Arrays> all, std::size_t targets, const Block& part) {
  std::array<const void*, most_ranks> sources;
  std::array<void*, most_ranks> outputs;
  for (std::size_t r = 0; r < all.size(); ++r) {
    sources[r] = all[r].in;
    outputs[r] = all[r].out;
  }
  reduce::combine(all[0].rule, {sources.data(), all.size()}, {outputs.data(), targets}, part.begin, part.end);
}

void take(const Arrays& mine, const std::byte* from, std::byte* to, std::int64_t count) {
  const void* source = from;
  void* target = to;
  reduce::combine(mine.rule, {&source, 1}, {&target, 1}, 0, count);
}

void all_reduce(Communicator& ranks, const Arrays& mine, std::byte*) {
  if (ranks.size() == 1) return copy(mine, mine.in, mine.out);
  if (ranks.all_at_once(mine)) return;
  const auto all = meet(ranks, mine);
  add_up(all, all.size(), block_of(mine, ranks.rank(), ranks.size()));
  ranks.leave();
}

void reduce_to_0(Communicator& ranks, const Arrays& mine, std::byte*) {
  if (ranks.size() == 1) return copy(mine, mine.in, mine.out);
  add_up(meet(ranks, mine), 1, block_of(mine, ranks.rank(), ranks.size()));
  ranks.leave();
}

void reduce_scatter(Communicator& ranks, const Arrays& mine, std::byte*) {
  if (ranks.size() == 1) return copy(mine, mine.in, mine.out);
  const auto all = meet(ranks, mine);
  const Block own = equal_block(mine, ranks.rank(), ranks.size());
  std::array<const void*, most_ranks> sources;
  for (std::size_t r = 0; r < all.size(); ++r) sources[r] = at(input(all[r]), mine, own.begin);
  void* target = mine.out;
  reduce::combine(mine.rule, {sources.data(), all.size()}, {&target, 1}, 0, own.count());
  ranks.leave();
}

void all_gather(Communicator& ranks, const Arrays& mine, std::byte*) {
  const auto all = meet(ranks, mine);
  const int n = ranks.size();
  for (int step = 0; step < n; ++step) {  // not all from the same one at once
    const int from = (ranks.rank() + step) % n;
    const Block block = equal_block(mine, from, n);
    std::byte* const to = at(mine.out, mine, block.begin);
    const std::byte* const source = all[static_cast<std::size_t>(from)].in;
    if (source != to) take(mine, source, to, block.count());
  }
  ranks.leave();
}

void all_to_all(Communicator& ranks, const Arrays& mine, std::byte*) {
  const auto all = meet(ranks, mine);
  const int n = ranks.size();
  const Block own = equal_block(mine, ranks.rank(), n);
  for (int step = 0; step < n; ++step) {
    const int from = (ranks.rank() + step) % n;
    take(mine, at(input(all[static_cast<std::size_t>(from)]), mine, own.begin),
         at(mine.out, mine, equal_block(mine, from, n).begin), own.count());
  }
  ranks.leave();
}

void broadcast(Communicator& ranks, const Arrays& mine, std::byte*) {
  const auto all = meet(ranks, mine);
  if (ranks.rank() != 0) take(mine, all[0].out, mine.out, mine.count);
  ranks.leave();
}

double two(int n) {
  return n > 1 ? 2.0 : 0.0;
}
Cost cost(int n) {
  return {two(n), 2.0 * (n - 1) / n, (n - 1.0) / n};
}
Cost joining_cost(int n) {
  return {two(n), (n - 1.0) / n, (n - 1.0) / n};
}
Cost moving_cost(int n) {
  return {two(n), (n - 1.0) / n, 0};
}
Cost broadcast_cost(int n) {
  return {two(n), n > 1 ? 1.0 : 0.0, 0};
}

}  // namespace

const Algorithm direct{"direct",   "each rank adds up its part of all arrays where they are, and writes it to all",
                       all_reduce, cost,
                       false,      true};
const Algorithm direct_reduce{
    "direct",     "each rank adds up its part of all arrays where they are, and writes it to rank 0",
    reduce_to_0,  joining_cost,
    false,        true,
    Roles::unlike};
const Algorithm direct_reduce_scatter{
    "direct", "each rank adds up its block of all arrays where they are", reduce_scatter, joining_cost, false, true};
const Algorithm direct_all_gather{"direct", "each rank reads all blocks where they are", all_gather, moving_cost, false,
                                  true};
const Algorithm direct_all_to_all{"direct", "each rank reads its blocks where they are", all_to_all, moving_cost, false,
                                  true};
const Algorithm direct_broadcast{
    "direct", "each rank reads rank 0's array where it is", broadcast, broadcast_cost, false, true, Roles::unlike};

}  // namespace ridge::collectives
