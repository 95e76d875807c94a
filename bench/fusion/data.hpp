// What every device's cases share: the numbers that arrays hold, a row's results compared, and the verdict over all.
#pragma once

#include <cstdint>

#include "bench/harness/definition.hpp"
#include "kernels/fused/fused.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::fusion {

inline constexpr std::int64_t guard_bytes = 64;  // behind the last element of x

struct Data {
  ridge::fused::Pair pair;
  std::uint64_t seed = 0;
  std::int64_t columns = 0;
  int ops = 1;
  double probability = 0;  // of an element to be dropped, where the pair drops any

  // Element of x: number(0, index), so that mistakes show that those would hide. Of LayerNorm its magnitude: rows have
  // a mean. Of softmax and cross-entropy a row in four has one element, the label's, whose exponential is no float: a
  // maximum that is not the row's shows.
  [[nodiscard]] float element(std::int64_t index) const;
  // Element of array `which` (0 x, 1 residual, 2 bias or gamma, 3 beta): in ±[1, 2) with a random mantissa.
  [[nodiscard]] float number(int which, std::int64_t index) const;
  [[nodiscard]] std::int32_t label(std::int64_t row) const;
  [[nodiscard]] ridge::fused::Dropout dropout() const;

  // have: (columns) of x, or the row's one loss. Errors are in units of each result's bound; a NaN is wrong.
  void check_row(stream::Check& check, std::int64_t row, const float* have) const;
};

// One result against what it should be, at most `bound` apart; a NaN is wrong.
void compare(stream::Check& check, std::int64_t index, double have, double want, double bound);

// `guarded`: nothing was written behind the last element.
record::Verification verdict(const stream::Check& all, bool guarded);

}  // namespace ridge::bench::fusion
