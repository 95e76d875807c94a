// The algorithms of each operation, over any communicator.
//
// n ranks; s is the size of the operation, count elements, as operations.hpp has it. What an algorithm costs is told in
// three numbers of its busiest rank: messages one after the other, bytes that pass through it, bytes joined (the terms
// of Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005). Each file
// derives its own.
#pragma once

#include <span>
#include <string_view>

#include "collectives/communicator/communicator.hpp"

namespace ridge::collectives {

struct Cost {
  double steps = 0;   // messages that wait for each other
  double passed = 0;  // bytes for each byte of s
  double joined = 0;  // likewise
};

// Whether all ranks do as much as each other, so that one that the others wait for is slow, or late, and not only the
// one that has more to do.
enum class Roles { alike, alike_for_powers_of_two, unlike };

struct Algorithm {
  std::string_view name;  // "ring"
  std::string_view idea;  // one line
  // Called by every rank. `scratch` has room for count elements where needs_scratch, and may be null elsewhere.
  void (*run)(Communicator& ranks, const Arrays& mine, std::byte* scratch);
  Cost (*cost)(int ranks);
  bool needs_scratch = false;
  bool needs_one_memory = false;  // works in one address space only
  Roles roles = Roles::alike;
};
using Algorithms = std::span<const Algorithm* const>;

Algorithms all_reduce_algorithms();
Algorithms all_gather_algorithms();
Algorithms reduce_scatter_algorithms();
Algorithms broadcast_algorithms();
Algorithms reduce_algorithms();
Algorithms all_to_all_algorithms();
Algorithms send_receive_algorithms();
Algorithms barrier_algorithms();
bool are_alike(const Algorithm& algorithm, int ranks);
const Algorithm* find_algorithm(Algorithms among, std::string_view name);  // nullptr for an unknown one

// Of all-reduce, and where two parts of one are operations of their own, those: a ring's rounds, a tree's ways up and
// down. Rank 0 is the root.
extern const Algorithm ring, ring_all_gather, ring_reduce_scatter;
extern const Algorithm tree, tree_broadcast, tree_reduce;
extern const Algorithm naive, naive_broadcast, naive_reduce;
extern const Algorithm direct, direct_all_gather, direct_reduce_scatter, direct_broadcast, direct_reduce,
    direct_all_to_all;
extern const Algorithm recursive_doubling, halving_doubling;
extern const Algorithm pairwise, exchange, central, dissemination;

// Helpers of the algorithms.

// Elements [begin, end) of block b of n: as equal as whole cache lines allow.
struct Block {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  [[nodiscard]] std::int64_t count() const { return end - begin; }
};
Block block_of(const Arrays& arrays, int b, int n);
// The same where each rank has its own block by definition: all are equal, count being a multiple of n.
inline Block equal_block(const Arrays& arrays, int b, int n) {
  return {arrays.count / n * b, arrays.count / n * (b + 1)};
}

inline std::byte* at(std::byte* array, const Arrays& arrays, std::int64_t element) {
  return array + element * reduce::bytes_of(arrays.rule.type);
}
inline Piece piece_of(std::byte* array, const Arrays& arrays, const Block& block) {
  return {at(array, arrays, block.begin), block.count()};
}
// Algorithms send from `in` and never write there.
inline std::byte* input(const Arrays& arrays) {
  return const_cast<std::byte*>(arrays.in);
}
// `count` elements of `from` to `to`, unless they are the same.
void copy(const Arrays& arrays, const std::byte* from, std::byte* to, std::int64_t count);
inline void copy(const Arrays& arrays, const std::byte* from, std::byte* to) {
  copy(arrays, from, to, arrays.count);
}

// The largest power of two that is not above n, its logarithm, and the smallest k with 2^k ≥ n.
int power_below(int n);
int log2_of(int power);
int levels_of(int n);

}  // namespace ridge::collectives
