// What the cases on every device share: the numbers that inputs hold, one result compared, and the verdict over all.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/harness/definition.hpp"
#include "kernels/random/counter.hpp"
#include "kernels/stream/check.hpp"

namespace ridge::bench::roofline {

struct Numbers {
  std::uint64_t seed = 0;
  bool zero = false;  // where zeroes are timed

  // Element of input `which`. Full mantissas for a check even where zeroes are timed: zeroes would hide most mistakes.
  template <class T>
  [[nodiscard]] T at(int which, std::int64_t index, bool for_check) const {
    if (zero && !for_check) return 0;
    return random::full_mantissa<T>(
        random::bits(random::seed_of(seed, static_cast<std::uint64_t>(which)), static_cast<std::uint64_t>(index)));
  }
};

// One result against what it should be, at most `bound` apart; a NaN is wrong.
inline void compare(stream::Check& check, std::int64_t index, long double have, long double want, double bound) {
  ++check.checked;
  const auto error = static_cast<double>(have > want ? have - want : want - have);
  const bool right = error <= bound;
  if (!right && check.wrong++ == 0) check.first_wrong = index;
  if (std::isfinite(error) && bound > 0) check.max_error = std::max(check.max_error, error / bound);
}

// A sum of products in long double, and the magnitudes that its bound is made of.
struct SumOfProducts {
  long double sum = 0;
  long double magnitude = 0;

  void add(long double a, long double b) {
    sum += a * b;
    magnitude += std::fabs(a * b);
  }
};

// Errors are in units of each result's bound. `guarded`: nothing was written behind the results.
inline record::Verification verdict(const stream::Check& all, bool guarded) {
  record::Verification result;
  result.checked = all.checked;
  result.max_error = all.max_error;
  result.bound = 1;
  result.status = record::Check::failed;
  if (all.wrong > 0)
    result.reason = fmt::format("{} of {} results wrong, the first at {}", all.wrong, all.checked, all.first_wrong);
  else if (!guarded)
    result.reason = "wrote behind the last result";
  else
    result.status = record::Check::passed;
  return result;
}

}  // namespace ridge::bench::roofline
