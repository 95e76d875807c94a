// Eight bytes in one step.
#include "reports/json/plain_bytes.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace ridge::json {

// Eight at a time: a byte's high bit is set in `found` where it is below 0x20, equals a sign (then it is 0 after ⊕), or
// is 0x80 or above. A borrow can only set bits above a true find, so the lowest one is right.
std::size_t plain_bytes(std::string_view text) {
  std::size_t at = 0;
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t high = 0x8080808080808080;
    for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      const std::uint64_t quote = word ^ (ones * '"');
      const std::uint64_t backslash = word ^ (ones * '\\');
      const std::uint64_t found =
          (((word - ones * 0x20) | (quote - ones) | (backslash - ones)) & ~word & high) | (word & high);
      if (found != 0) return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
    }
  }
  for (; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c == '"' || c == '\\' || c < 0x20 || c >= 0x80) break;
  }
  return at;
}

}  // namespace ridge::json
