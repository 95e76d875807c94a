// Compares what a kernel left behind with the oracle, element by element, and says how far off it may be.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/stream/reference.hpp"

namespace ridge::stream {

// Bytes that no kernel of the family produces (a NaN in either type): what targets hold before a verified run.
inline constexpr int poison_byte = 0xFF;

// Makes a huge number of either type: what lies behind an input, so that reading there spoils a result.
inline constexpr int decoy_byte = 0x7F;

struct Check {
  std::int64_t checked = 0;
  std::int64_t wrong = 0;
  std::int64_t first_wrong = -1;
  double max_error = 0;  // in units of bound(); 0 for exact kernels

  void add(const Check& other) {
    if (other.wrong > 0 && (first_wrong < 0 || other.first_wrong < first_wrong)) first_wrong = other.first_wrong;
    checked += other.checked;
    wrong += other.wrong;
    max_error = std::max(max_error, other.max_error);
  }
};

// The most that a[i] may be off, in units of epsilon × the magnitude of all that was rounded: the result and, for
// triad, the product (which a fused operation does not round). One rounding costs at most half of such a unit; the
// hundredth is for the oracle's own. Kernels that copy may not change a bit.
constexpr double bound(Op op) {
  return op == Op::scale || op == Op::add || op == Op::triad ? 0.51 : 0;
}

// Elements [begin, end) of a target (n), against data made anew.
template <class T>
Check check_target(Op op, const T* a, const Data& data, std::int64_t begin, std::int64_t end) {
  Check result;
  result.checked = end - begin;
  for (std::int64_t i = begin; i < end; ++i) {
    const T b = data.value<T>(0, i);
    const T c = data.value<T>(1, i);
    const Wide<T> want = expected(op, b, c);
    bool right = false;
    if (bound(op) == 0) {
      right = bits_of(a[i]) == bits_of(static_cast<T>(want));
    } else {
      const Wide<T> magnitude = std::fabs(want) + (op == Op::triad ? std::fabs(want - b) : 0);
      const Wide<T> unit = magnitude * std::numeric_limits<T>::epsilon();
      const auto error = static_cast<double>(unit > 0 ? std::fabs(a[i] - want) / unit : std::fabs(a[i] - want));
      right = error <= bound(op);  // false for a NaN
      if (std::isfinite(error)) result.max_error = std::max(result.max_error, error);
    }
    if (!right && result.wrong++ == 0) result.first_wrong = i;
  }
  return result;
}

// True when the bytes behind the last element still are poison: the kernel stopped in time.
inline bool untouched(const void* begin, std::size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(begin);
  return std::all_of(at, at + bytes, [](unsigned char byte) { return byte == poison_byte; });
}

// Elements that a kernel adds up in its own type before it goes on in double: what bounds its error, and keeps sums of
// whole numbers exact for any n.
inline constexpr std::int64_t dot_block = std::int64_t{1} << 16;

// The most that a dot product of `count` elements may be off, given the sum of |b[i] c[i]|. The longest chain of
// additions in the type itself is a block spread over at least 16 accumulators, and those summed; each link rounds
// once, and the product may. Then one addition in double for each block.
template <class T>
double dot_bound(std::int64_t count, double magnitude) {
  const double chain = static_cast<double>(std::min(count, dot_block)) / 16 + 32;
  const double blocks = static_cast<double>(count) / static_cast<double>(dot_block) + 1;
  const double in_type = chain * std::numeric_limits<T>::epsilon() / 2;
  const double in_double = (blocks + 64) * std::numeric_limits<double>::epsilon() / 2;
  return (in_type + in_double) * magnitude;
}

}  // namespace ridge::stream
