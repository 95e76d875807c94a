// The oracle: each kernel of the family as one plain loop, in more precision than the type has.
#pragma once

#include <bit>
#include <cmath>
#include <type_traits>

#include "kernels/stream/data.hpp"
#include "kernels/stream/stream.hpp"

namespace ridge::stream {

// float is computed in double, double in long double (64 mantissa bits on x86-64, 113 on AArch64).
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;

template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(value);
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(value);
}

// What a[i] should be, before rounding, of the given b[i] and c[i]; 0 for kernels that write nothing.
template <class T>
Wide<T> expected(Op op, T b, T c) {
  const Wide<T> q = scalar<T>;
  switch (op) {
    case Op::copy:
    case Op::memcpy:
      return b;
    case Op::scale:
      return q * b;
    case Op::add:
      return static_cast<Wide<T>>(b) + c;
    case Op::triad:
      return b + q * c;
    case Op::write:
      return q;
    case Op::dot:
    case Op::read:
      break;
  }
  return 0;
}

template <class T>
struct ReferenceReduction {
  Wide<T> sum = 0;        // of b[i] c[i]
  Wide<T> magnitude = 0;  // of |b[i] c[i]|
  std::uint64_t bits = 0;
};

// What dot and read should find in the elements [begin, end) of that data.
template <class T>
ReferenceReduction<T> reference_reduction(const Data& data, std::int64_t begin, std::int64_t end) {
  ReferenceReduction<T> all;
  for (std::int64_t i = begin; i < end; ++i) {
    const T b = data.value<T>(0, i);
    const Wide<T> product = static_cast<Wide<T>>(b) * data.value<T>(1, i);
    all.sum += product;
    all.magnitude += std::fabs(product);
    all.bits ^= bits_of(b);
  }
  return all;
}

}  // namespace ridge::stream
