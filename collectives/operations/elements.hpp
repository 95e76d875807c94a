// Whole numbers as elements of each type: up to which of them are exact, and the codes of those that no C++ type holds.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/formats/formats.hpp"
#include "kernels/reduce/combine.hpp"

namespace ridge::collectives {

// Up to which whole numbers are exact in a type, or far beyond what is needed: 2^precision of a narrow one.
constexpr int exact_of(reduce::Type type) {
  switch (type) {
    case reduce::Type::f16:
      return 1 << formats::f16.precision();
    case reduce::Type::bf16:
      return 1 << formats::bf16.precision();
    case reduce::Type::e4m3:
      return 1 << formats::e4m3.precision();
    case reduce::Type::e5m2:
      return 1 << formats::e5m2.precision();
    case reduce::Type::f32:
    case reduce::Type::f64:
    case reduce::Type::i32:
      break;
  }
  return 1 << 20;
}

// An element of a type that no C++ type holds.
template <formats::Format const& format, class Bits>
struct Code {
  Bits bits = 0;
  bool operator==(const Code&) const = default;
};

// A whole number up to exact_of as an element.
template <class T>
struct Whole {
  static T of(int number) { return static_cast<T>(number); }
};
template <formats::Format const& format, class Bits>
struct Whole<Code<format, Bits>> {
  static Code<format, Bits> of(int number) {
    static const std::vector<Code<format, Bits>> codes = [] {
      std::vector<Code<format, Bits>> all;
      for (int i = 0; i <= 1 << format.precision(); ++i) all.push_back({static_cast<Bits>(formats::encode(i, format))});
      return all;
    }();
    return codes.at(static_cast<std::size_t>(number));
  }
};

// use(T{}) with what an element of that type is.
template <class Use>
void with_element(reduce::Type type, const Use& use) {
  switch (type) {
    case reduce::Type::f32:
      return use(float{});
    case reduce::Type::f64:
      return use(double{});
    case reduce::Type::i32:
      return use(std::int32_t{});
    case reduce::Type::f16:
      return use(Code<formats::f16, std::uint16_t>{});
    case reduce::Type::bf16:
      return use(Code<formats::bf16, std::uint16_t>{});
    case reduce::Type::e4m3:
      return use(Code<formats::e4m3, std::uint8_t>{});
    case reduce::Type::e5m2:
      return use(Code<formats::e5m2, std::uint8_t>{});
  }
}

}  // namespace ridge::collectives
