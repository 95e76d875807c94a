// The closed form of a chain, which shares no line with the loop it checks.
#include "kernels/roofline/chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ridge::roofline {

template <class T>
ChainOracle<T>::ChainOracle(std::int64_t operations) {
  const long double m = factor<T>;
  if (operations <= 1) {
    power_ = m;
    return;
  }
  roundings_ = operations / 2;
  power_ = std::pow(m, static_cast<long double>(roundings_));
  offset_ = static_cast<long double>(summand<T>) * (power_ - 1) / (m - 1);
}

template <class T>
double ChainOracle<T>::bound(T x) const {
  const long double largest = std::fabs(power_ * x) + std::fabs(offset_);
  return static_cast<double>(static_cast<long double>(roundings_) * std::numeric_limits<T>::epsilon() * power_ *
                             largest);
}

template class ChainOracle<float>;
template class ChainOracle<double>;

}  // namespace ridge::roofline
