// Splits PTX text into tokens.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ridge::ptx {

struct Token {
  enum class Kind : std::uint8_t { word, integer, real, string, mark, end };
  Kind kind = Kind::end;
  std::string_view text;      ///< views the source; strings without their quotes
  int line = 0;               ///< 1-based
  std::uint64_t integer = 0;  ///< value of an integer literal
  std::uint64_t bits = 0;     ///< IEEE bits of a real literal
  unsigned real_bytes = 0;    ///< 4 for 0fXXXXXXXX, 8 for 0dX… and decimal literals
};

/// The tokens of `text`, closed by one of kind `end`. The views point into `text`, which must outlive them.
/// Words hold letters, digits, '_', '$', '.', '%' and inner "::". Throws ReadError.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace ridge::ptx
