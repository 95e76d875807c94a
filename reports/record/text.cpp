// Escaping and measuring of text for terminals.
#include "reports/record/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "reports/record/utf8.hpp"

namespace ridge::record {
namespace {

struct Range {
  char32_t first, last;
};

// Unicode's format characters (category Cf) and separators that change what a person sees without being seen.
constexpr std::array invisible{Range{0x00AD, 0x00AD}, Range{0x061C, 0x061C}, Range{0x180E, 0x180E},
                               Range{0x200B, 0x200F}, Range{0x2028, 0x202E}, Range{0x2060, 0x206F},
                               Range{0xFEFF, 0xFEFF}, Range{0xFFF9, 0xFFFB}, Range{0xE0000, 0xE007F}};

// The blocks that terminals draw two columns wide (Unicode's East_Asian_Width W and F, in blocks).
constexpr std::array wide{Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},  Range{0x3041, 0xA4CF},
                          Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},  Range{0xFE30, 0xFE6F},
                          Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},  Range{0x1F300, 0x1F64F},
                          Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};

constexpr std::array combining{Range{0x0300, 0x036F}, Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},
                               Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}};

template <std::size_t N>
bool in(const std::array<Range, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(), [c](Range r) { return c >= r.first && c <= r.last; });
}

std::size_t columns_of(char32_t c) {
  if (c < 0x300) return 1;
  if (in(combining, c)) return 0;
  return in(wide, c) ? 2 : 1;
}

void escape(char32_t c, std::string& out) {
  if (c == '\n')
    out += "\\n";
  else if (c == '\r')
    out += "\\r";
  else if (c == '\t')
    out += "\\t";
  else if (c < 0x100)
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned>(c));
  else
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = front(text);
    const std::size_t length = std::max<std::size_t>(c.length, 1);
    if (c.length == 0)
      escape(static_cast<unsigned char>(text.front()), out);
    else if (c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0) || in(invisible, c.value))
      escape(c.value, out);
    else
      out += text.substr(0, length);
    text.remove_prefix(length);
  }
  return out;
}

std::size_t columns(std::string_view text) {
  std::size_t total = 0;
  while (!text.empty()) {
    const CodePoint c = front(text);
    total += c.length == 0 ? 1 : columns_of(c.value);
    text.remove_prefix(std::max<std::size_t>(c.length, 1));
  }
  return total;
}

std::size_t fitting(std::string_view text, std::size_t width) {
  std::size_t taken = 0;
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const CodePoint c = front(text.substr(bytes));
    taken += c.length == 0 ? 1 : columns_of(c.value);
    if (taken > width) break;
    bytes += std::max<std::size_t>(c.length, 1);
  }
  return bytes;
}

std::string cut(std::string_view text, std::size_t width) {
  if (fitting(text, width) == text.size()) return std::string(text);
  const std::string_view mark = width > 3 ? "..." : "";
  return std::string(text.substr(0, fitting(text, width - mark.size()))).append(mark);
}

}  // namespace ridge::record
