// The lexer: comments, strings, numbers in PTX's five spellings, words, and one-character marks.
#include "kernels/ptx/text/lexer.hpp"

#include <bit>
#include <charconv>
#include <string>

#include "kernels/ptx/text/error.hpp"

namespace ridge::ptx {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_word(char c) {
  return is_digit(c) || is_letter(c) || c == '_' || c == '$' || c == '.' || c == '%';
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> out;
    while (skip_blank()) out.push_back(next());
    Token end;
    end.line = line_;
    out.push_back(end);
    return out;
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  bool skip_blank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '/' && at(at_ + 1) == '/') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == '/' && at(at_ + 1) == '*') {
        const std::size_t close = text_.find("*/", at_ + 2);
        if (close == std::string_view::npos) throw ReadError(line_, "comment without end");
        for (; at_ < close + 2; ++at_) line_ += text_[at_] == '\n';
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v' || c == '\0') {
        ++at_;
      } else {
        return true;
      }
    }
    return false;
  }

  Token take(Token::Kind kind, std::size_t from, std::size_t to) {
    Token token;
    token.kind = kind;
    token.text = text_.substr(from, to - from);
    token.line = line_;
    return token;
  }

  Token next() {
    const char c = text_[at_];
    if (c == '"') return string();
    if (is_digit(c)) return number();
    if (is_word(c)) return word();
    Token token = take(Token::Kind::mark, at_, at_ + 1);
    ++at_;
    return token;
  }

  Token string() {
    std::size_t i = at_ + 1;
    while (i < text_.size() && text_[i] != '"') i += text_[i] == '\\' ? 2 : 1;
    if (i >= text_.size()) throw ReadError(line_, "string without end");
    Token token = take(Token::Kind::string, at_ + 1, i);
    at_ = i + 1;
    return token;
  }

  Token word() {
    std::size_t i = at_ + 1;
    while (is_word(at(i)) || (at(i) == ':' && at(i + 1) == ':' && is_word(at(i + 2)))) i += at(i) == ':' ? 2 : 1;
    Token token = take(Token::Kind::word, at_, i);
    at_ = i;
    return token;
  }

  std::uint64_t parsed(std::size_t from, std::size_t to, int base) const {
    std::uint64_t value = 0;
    const auto result = std::from_chars(text_.data() + from, text_.data() + to, value, base);
    if (result.ec != std::errc{} || result.ptr != text_.data() + to || from == to) {
      throw ReadError(line_, "bad number '" + std::string(text_.substr(from, to - from)) + "'");
    }
    return value;
  }

  Token number() {
    const char mark = at(at_ + 1);
    const bool zero = text_[at_] == '0';
    if (zero && (mark == 'f' || mark == 'F')) return bits(8);
    if (zero && (mark == 'd' || mark == 'D')) return bits(16);
    std::size_t i = at_;
    int base = 10;
    std::size_t from = at_;
    if (zero && (mark == 'x' || mark == 'X')) {
      base = 16;
      from = i = at_ + 2;
      while (is_digit(at(i)) || (at(i) >= 'a' && at(i) <= 'f') || (at(i) >= 'A' && at(i) <= 'F')) ++i;
    } else if (zero && (mark == 'b' || mark == 'B')) {
      base = 2;
      from = i = at_ + 2;
      while (is_digit(at(i))) ++i;
    } else {
      while (is_digit(at(i))) ++i;
      if (at(i) == '.' || at(i) == 'e' || at(i) == 'E') return decimal(i);
      if (zero && i > at_ + 1) base = 8;
    }
    Token token = take(Token::Kind::integer, at_, i);
    token.integer = parsed(from, i, base);
    if (at(i) == 'U') ++i;
    at_ = i;
    return token;
  }

  Token bits(std::size_t digits) {
    const std::size_t end = at_ + 2 + digits;
    if (end > text_.size()) throw ReadError(line_, "bad floating-point literal");
    Token token = take(Token::Kind::real, at_, end);
    token.bits = parsed(at_ + 2, end, 16);
    token.real_bytes = static_cast<unsigned>(digits / 2);
    at_ = end;
    return token;
  }

  Token decimal(std::size_t i) {
    if (at(i) == '.') ++i;
    while (is_digit(at(i))) ++i;
    if (at(i) == 'e' || at(i) == 'E') {
      std::size_t exponent = i + 1;
      if (at(exponent) == '+' || at(exponent) == '-') ++exponent;
      while (is_digit(at(exponent))) i = ++exponent;
    }
    double value = 0;
    const auto result = std::from_chars(text_.data() + at_, text_.data() + i, value);
    if (result.ec != std::errc{} || result.ptr != text_.data() + i) throw ReadError(line_, "bad decimal literal");
    Token token = take(Token::Kind::real, at_, i);
    token.bits = std::bit_cast<std::uint64_t>(value);
    token.real_bytes = 8;
    at_ = i;
    return token;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace ridge::ptx
