// The sparse matrix's pattern, and the error bound of a sum of products.
#include "kernels/roofline/rows.hpp"

#include <algorithm>
#include <limits>

#include "kernels/random/counter.hpp"

namespace ridge::roofline {

std::int32_t column_of(std::uint64_t seed, std::int64_t row, std::int64_t entry, std::int64_t rows) {
  const std::int64_t first = std::max<std::int64_t>(0, row - band);
  const std::int64_t last = std::min(rows - 1, row + band);
  const auto random = random::bits(seed, static_cast<std::uint64_t>(row * row_nonzeros + entry));
  return static_cast<std::int32_t>(first +
                                   static_cast<std::int64_t>(random % static_cast<std::uint64_t>(last - first + 1)));
}

template <class T>
double row_bound(std::int64_t terms, double magnitude) {
  return (static_cast<double>(terms) + 2) * std::numeric_limits<T>::epsilon() * magnitude;
}

template double row_bound<float>(std::int64_t, double);
template double row_bound<double>(std::int64_t, double);

}  // namespace ridge::roofline
