// The all-reduce algorithms: out[i] = in of rank 0 [i] ∘ in of rank 1 [i] ∘ …, on every rank.
//
// n ranks, s bytes each. What an algorithm costs is told in three numbers of its busiest rank: messages one after the
// other, bytes received, bytes joined (the terms of Thakur, Rabenseifner, Gropp, "Optimization of collective
// communication operations in MPICH", 2005). Each file derives its own.
#pragma once

#include <span>
#include <string_view>

#include "collectives/communicator/communicator.hpp"

namespace ridge::collectives {

struct Cost {
  double steps = 0;     // messages that wait for each other
  double received = 0;  // bytes for each byte of s
  double joined = 0;    // likewise
};

struct Algorithm {
  std::string_view name;  // "ring"
  std::string_view idea;  // one line
  // Called by every rank. `scratch` has room for count elements where needs_scratch, and may be null elsewhere.
  void (*all_reduce)(Communicator& ranks, const Arrays& mine, std::byte* scratch);
  Cost (*cost)(int ranks);
  bool needs_scratch = false;
};

extern const Algorithm naive;
extern const Algorithm ring;
extern const Algorithm recursive_doubling;
extern const Algorithm halving_doubling;
extern const Algorithm tree;
extern const Algorithm direct;

std::span<const Algorithm* const> all_algorithms();
const Algorithm* find_algorithm(std::string_view name);  // nullptr for an unknown one

// Helpers of the algorithms.

// Elements [begin, end) of block b of n: as equal as whole cache lines allow.
struct Block {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  [[nodiscard]] std::int64_t count() const { return end - begin; }
};
Block block_of(const Arrays& arrays, int b, int n);

inline std::byte* at(std::byte* array, const Arrays& arrays, std::int64_t element) {
  return array + element * reduce::bytes_of(arrays.rule.type);
}
// Algorithms send from `in` and never write there.
inline std::byte* input(const Arrays& arrays) {
  return const_cast<std::byte*>(arrays.in);
}
// `from` to `to`, unless they are the same.
void copy(const Arrays& arrays, const std::byte* from, std::byte* to);

// The largest power of two that is not above n.
int power_below(int n);
int log2_of(int power);

}  // namespace ridge::collectives
