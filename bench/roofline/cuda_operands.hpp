// How the operands of a GPU's matrix instructions lie in memory, by type, and what they hold.
#pragma once

#include <cstdint>
#include <type_traits>

#include "bench/roofline/checking.hpp"
#include "kernels/formats/formats.hpp"
#include "kernels/ptx/arith/half.hpp"

namespace ridge::bench::roofline {

// Sum: what products are added up in. of(value): a value that the type can hold, or is rounded to.
struct InBf16 {
  using Element = std::uint16_t;
  using Sum = float;
  static Element of(double value) { return ptx::bf16_bits(static_cast<float>(value)); }
};
struct InF16 {
  using Element = std::uint16_t;
  using Sum = float;
  static Element of(double value) { return ptx::f16_bits(static_cast<float>(value)); }
};
struct InTf32 {
  using Element = float;  // the instruction ignores the lowest 13 bits
  using Sum = float;
  static Element of(double value) { return static_cast<float>(value); }
};
struct InF64 {
  using Element = double;
  using Sum = double;
  static Element of(double value) { return value; }
};
struct InE4m3 {
  using Element = std::uint8_t;
  using Sum = float;
  static Element of(double value) {
    return static_cast<Element>(formats::encode(value, formats::e4m3, formats::Rounding::nearest, true));
  }
};
struct InInt8 {
  using Element = std::int8_t;
  using Sum = std::int32_t;
  static Element of(double value) { return static_cast<std::int8_t>(value); }
};

// The numbers of operands: whole ones to check with, full mantissas of either sign to time.
struct OperandNumbers : Numbers {
  [[nodiscard]] std::uint64_t bits(int which, std::int64_t i) const {
    return random::bits(random::seed_of(seed, static_cast<std::uint64_t>(which)), static_cast<std::uint64_t>(i));
  }
  // All bytes where sums are whole numbers; else −most … most.
  template <class Sum>
  [[nodiscard]] std::int64_t whole(int which, std::int64_t i, int most) const {
    if (std::is_same_v<Sum, std::int32_t>) return static_cast<std::int64_t>(bits(which, i) % 256) - 128;
    return static_cast<std::int64_t>(bits(which, i) % static_cast<std::uint64_t>(2 * most + 1)) - most;
  }
  template <class Sum>
  [[nodiscard]] double timed(int which, std::int64_t i) const {
    if (zero) return 0;
    if constexpr (std::is_same_v<Sum, std::int32_t>) return static_cast<double>(whole<Sum>(which, i, 0));
    return at<std::conditional_t<std::is_same_v<Sum, double>, double, float>>(which, i, false);
  }
};

// A sum as the instruction leaves it.
template <class Sum>
Sum wrapped(std::int64_t value) {
  if constexpr (std::is_same_v<Sum, std::int32_t>) return static_cast<std::int32_t>(value);  // modulo 2^32
  return static_cast<Sum>(value);
}

}  // namespace ridge::bench::roofline
