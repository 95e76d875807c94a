// Rabenseifner's: halves, quarters, … are added up between partners half as far apart each time, then handed back
// (Rabenseifner, "Optimization of collective reduction operations", 2004).
//
// log2 n steps that halve what a rank is responsible for, and log2 n that double it again: 2 log2 n messages, of which
// the first is s/2 bytes: 2 (n − 1)/n · s through each rank, as few as the ring's, in fewer steps, and (n − 1)/n · s
// joined. Ranks beyond the largest power of two as in recursive doubling.
#include <vector>

#include "collectives/algorithms/algorithms.hpp"

namespace ridge::collectives {
namespace {

// The halves of a range, at a cache line where it has one.
Block half_of(const Block& range, bool upper, std::int64_t line) {
  std::int64_t middle = range.begin + range.count() / 2;
  if (range.count() > 2 * line) middle = (middle + line - 1) / line * line;
  return upper ? Block{middle, range.end} : Block{range.begin, middle};
}

void all_reduce(Communicator& ranks, const Arrays& mine, std::byte*) {
  const int p = power_below(ranks.size());
  const int rank = ranks.rank();
  const int rest = ranks.size() - p;
  const reduce::Rule& rule = mine.rule;
  const auto piece = [&](std::byte* array, const Block& b) { return Piece{at(array, mine, b.begin), b.count()}; };
  const Block whole{0, mine.count};
  if (rank >= p) {
    ranks.exchange(rule, rank - p, piece(input(mine), whole), nobody, {});
    return ranks.exchange(rule, nobody, {}, rank - p, piece(mine.out, whole));
  }
  std::byte* now = input(mine);
  if (rank < rest) {
    ranks.exchange_join(rule, nobody, {}, rank + p, mine.in, piece(mine.out, whole));
    now = mine.out;
  } else if (p == 1) {
    copy(mine, mine.in, mine.out);
  }
  const std::int64_t line = 64 / reduce::bytes_of(rule.type);
  std::vector<Block> ranges{whole};
  for (int mask = p / 2; mask > 0; mask /= 2, now = mine.out) {
    const bool upper = (rank & mask) != 0;
    const Block kept = half_of(ranges.back(), upper, line);
    ranks.exchange_join(rule, rank ^ mask, piece(now, half_of(ranges.back(), !upper, line)), rank ^ mask,
                        at(now, mine, kept.begin), piece(mine.out, kept));
    ranges.push_back(kept);
  }
  for (int mask = 1; mask < p; mask *= 2) {
    const Block kept = ranges.back();
    ranges.pop_back();
    const Block missing = half_of(ranges.back(), (rank & mask) == 0, line);
    ranks.exchange(rule, rank ^ mask, piece(mine.out, kept), rank ^ mask, piece(mine.out, missing));
  }
  if (rank < rest) ranks.exchange(rule, rank + p, piece(mine.out, whole), nobody, {});
}

Cost cost(int n) {
  const int p = power_below(n);
  const double rest = n > p ? 1 : 0;
  return {2.0 * log2_of(p) + 2 * rest, 2.0 * (p - 1) / p + 2 * rest, (p - 1.0) / p + rest};
}

}  // namespace

const Algorithm halving_doubling{"halving_doubling",
                                 "ever smaller parts are added up, then handed back",
                                 all_reduce,
                                 cost,
                                 false,
                                 false,
                                 Roles::alike_for_powers_of_two};

}  // namespace ridge::collectives
