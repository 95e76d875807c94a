// Strings, numbers and the three words of JSON.
#include <fmt/format.h>

#include "reports/json/plain_bytes.hpp"
#include "reports/json/scanner.hpp"
#include "reports/record/utf8.hpp"

namespace ridge::json {
namespace {

void append_utf8(char32_t c, std::string& out) {
  const auto byte = [&](char32_t bits) { out += static_cast<char>(static_cast<unsigned char>(bits)); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xC0 | (c >> 6U));
  } else if (c < 0x10000) {
    byte(0xE0 | (c >> 12U));
    byte(0x80 | ((c >> 6U) & 0x3FU));
  } else {
    byte(0xF0 | (c >> 18U));
    byte(0x80 | ((c >> 12U) & 0x3FU));
    byte(0x80 | ((c >> 6U) & 0x3FU));
  }
  byte(0x80 | (c & 0x3FU));
}

}  // namespace

// The view is of the text itself where nothing is escaped, which is nearly always, and of `unescaped_` otherwise.
std::string_view Scanner::string_token() {
  token_ = at_;
  const std::size_t start = ++at_;
  bool escaped = false;
  std::size_t copied = start;  // text up to here is in `unescaped_`, once there is an escape
  while (true) {
    at_ += plain_bytes(text_.substr(at_));
    if (at_end()) refuse("the text ends inside a string");
    const char c = text_[at_];
    if (c == '"') break;
    if (c == '\\') {
      if (!escaped) unescaped_.clear();
      escaped = true;
      unescaped_ += text_.substr(copied, at_ - copied);
      escape();
      copied = at_;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      token_ = at_;
      refuse("a control character inside a string must be written as an escape");
    } else {
      const std::size_t length = record::front(text_.substr(at_)).length;
      if (length == 0) {
        token_ = at_;
        refuse("the bytes here are not UTF-8");
      }
      at_ += length;
    }
  }
  const std::size_t stop = at_++;
  if (!escaped) return text_.substr(start, stop - start);
  unescaped_ += text_.substr(copied, stop - copied);
  return unescaped_;
}

std::uint32_t Scanner::four_hex_digits() {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = at_end() ? '\0' : text_[at_];
    if (is_digit(c))
      value = value * 16 + static_cast<std::uint32_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value * 16 + static_cast<std::uint32_t>(c - 'a') + 10;
    else if (c >= 'A' && c <= 'F')
      value = value * 16 + static_cast<std::uint32_t>(c - 'A') + 10;
    else
      refuse("\\u takes four hexadecimal digits");
  }
  return value;
}

void Scanner::escape() {
  constexpr std::string_view signs = "\"\\/bfnrt";
  constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
  token_ = at_++;
  const char c = at_end() ? '\0' : text_[at_++];
  if (c != 'u') {
    const std::size_t which = signs.find(c);
    if (which == std::string_view::npos) refuse("no such escape in JSON");
    unescaped_ += meant[which];
    return;
  }
  char32_t code = four_hex_digits();
  if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
    at_ += 2;
    const char32_t low = four_hex_digits();
    if (low < 0xDC00 || low > 0xDFFF) refuse("half of a surrogate pair");
    code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
  }
  if (code >= 0xD800 && code < 0xE000) refuse("half of a surrogate pair");
  append_utf8(code, unescaped_);
}

// The grammar of JSON, which is narrower than what number parsers take: no +, no leading zeros, digits around the
// point.
std::string_view Scanner::number_token() {
  token_ = at_;
  exponent_digits_ = 0;
  const auto digits = [&] {
    const std::size_t from = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ == from) refuse("not a JSON number");
    return at_ - from;
  };
  const auto here = [&](char c) { return at_ < text_.size() && text_[at_] == c; };
  if (here('-')) ++at_;
  if (here('I') || here('N')) refuse("NaN and Infinity are no JSON numbers; what is unknown is null");
  const bool zero = here('0');
  const std::size_t whole = at_;
  digits();
  if (zero && at_ - whole > 1) refuse("a JSON number has no leading zeros");
  integral_ = !here('.');
  if (!integral_) {
    ++at_;
    digits();
  }
  if (here('e') || here('E')) {
    ++at_;
    if (here('+') || here('-')) ++at_;
    exponent_digits_ = digits();
  }
  return text_.substr(token_, at_ - token_);
}

void Scanner::literal(std::string_view word) {
  token_ = at_;
  if (text_.substr(at_, word.size()) != word) refuse(fmt::format("expected {}", word));
  at_ += word.size();
}

}  // namespace ridge::json
