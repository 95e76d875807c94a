// The stencil's plain reference and its counts.
#include "kernels/roofline/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridge::roofline {

template <class T>
Expected stencil_expected(const T* in, std::int64_t n, std::int64_t z, std::int64_t y, std::int64_t x) {
  const auto at = [&](std::int64_t k, std::int64_t j, std::int64_t i) {
    return static_cast<long double>(in[(k * n + j) * n + i]);
  };
  const long double own = centre<T> * at(z, y, x);
  long double sum = 0;
  long double magnitude = 0;
  for (const int side : {-1, 1})
    for (const long double v : {at(z, y, x + side), at(z, y + side, x), at(z + side, y, x)}) {
      sum += v;
      magnitude += std::fabs(v);
    }
  const long double scale = std::fabs(own) + neighbour<T> * magnitude;
  return {own + neighbour<T> * sum, static_cast<double>(4 * std::numeric_limits<T>::epsilon() * scale)};
}

template Expected stencil_expected<float>(const float*, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
template Expected stencil_expected<double>(const double*, std::int64_t, std::int64_t, std::int64_t, std::int64_t);

std::int64_t stencil_points(std::int64_t n) {
  const std::int64_t inner = std::max<std::int64_t>(0, n - 2);
  return inner * inner * inner;
}

std::int64_t stencil_reads(std::int64_t n) {
  const std::int64_t inner = std::max<std::int64_t>(0, n - 2);
  return stencil_points(n) + 6 * inner * inner;
}

}  // namespace ridge::roofline
