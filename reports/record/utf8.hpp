// One step through UTF-8: the code point at the front of some text, or that there is none.
#pragma once

#include <cstddef>
#include <string_view>

namespace ridge::record {

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  // bytes; 0: the first byte does not begin a well-formed sequence
};

// RFC 3629: shortest form only, no surrogates, at most U+10FFFF. `text` is not empty.
constexpr CodePoint front(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  char32_t value = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    value = value << 6U | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (overlong || (value >= 0xD800 && value < 0xE000) || value > 0x10FFFF) return {};
  return {value, length};
}

}  // namespace ridge::record
