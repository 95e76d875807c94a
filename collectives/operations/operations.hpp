// The operations: what each rank brings, what it gets, and by what factor bus bandwidth follows from algorithm
// bandwidth.
//
// n ranks; `size` is the larger of a rank's two arrays, as in NCCL's tests, so that algbw = size / time and busbw are
// comparable with theirs.
//
//   allreduce      in: size            out: size, the sum of all
//   reduce         in: size            out: size, the sum of all, on rank 0 only
//   broadcast      rank 0's array of size bytes, on all
//   allgather      in: size / n        out: size, block r from rank r
//   reducescatter  in: size            out: size / n, block r of the sum on rank r
//   alltoall       in: size            out: size, block r is rank r's block for me
//   sendrecv       in: size            out: size, that of the rank to the left
//   barrier        nothing
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "collectives/algorithms/algorithms.hpp"

namespace ridge::collectives {

enum class Extent { none, whole, block };  // of a rank's array: size bytes, or size / n

struct Operation {
  Collective collective = Collective::allreduce;
  std::string_view name;  // "allreduce"
  Extent in = Extent::whole;
  Extent out = Extent::whole;
  bool splits = false;     // the larger array is n blocks
  bool joins = false;      // elements are added up
  bool has_place = false;  // the result may replace the input
  Algorithms (*algorithms)() = nullptr;
  double (*bus)(int ranks) = nullptr;  // busbw / algbw; null where nothing is moved
  std::string_view bus_formula;        // "2 (n - 1)/n"
};

std::span<const Operation> all_operations();
const Operation& operation_of(Collective collective);

// busbw / algbw. One rank sends nothing and has none.
std::optional<double> bus_factor(const Operation& operation, int ranks);

// Elements of an array of that extent; `count` is those of the larger one, a multiple of n where it is split.
inline std::int64_t elements(Extent extent, std::int64_t count, int ranks) {
  return extent == Extent::none ? 0 : extent == Extent::whole ? count : count / ranks;
}

}  // namespace ridge::collectives
