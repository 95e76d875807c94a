// Values, brackets and errors; the tokens are in scan_token.cpp.
#include "reports/json/scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "reports/record/text.hpp"

namespace ridge::json {
namespace {

std::string_view describe(Scanner::Kind kind) {
  switch (kind) {
    case Scanner::Kind::object:
      return "an object";
    case Scanner::Kind::array:
      return "an array";
    case Scanner::Kind::text:
      return "text";
    case Scanner::Kind::number:
      return "a number";
    case Scanner::Kind::boolean:
      return "true or false";
    case Scanner::Kind::null:
      break;
  }
  return "null";
}

// Whether `token`, which std::from_chars has taken and behind which the text goes on as far as `stop`, is what JSON
// has: no leading zero, digits on both sides of a point, and nothing left that from_chars would not have.
bool is_json_number(std::string_view token, const char* stop) {
  const char* const end = token.data() + token.size();
  if (end != stop && (is_digit(*end) || *end == '.' || *end == 'e' || *end == 'E')) return false;
  if (token.front() == '-') token.remove_prefix(1);
  const auto whole = static_cast<std::size_t>(std::find_if_not(token.begin(), token.end(), is_digit) - token.begin());
  if (whole == 0 || (whole > 1 && token.front() == '0')) return false;
  return whole == token.size() || token[whole] != '.' || (whole + 1 < token.size() && is_digit(token[whole + 1]));
}

}  // namespace

Scanner::Scanner(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {
  rewind();
}

void Scanner::rewind() {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  at_ = text_.substr(0, 3) == byte_order_mark ? 3 : 0;
  token_ = at_;
  depth_ = 0;
  steps_ = 0;
}

void Scanner::refuse(const std::string& what) const {
  const std::string_view before = text_.substr(0, token_);
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const std::size_t column = token_ - line_start + 1;
  const std::string field = path_text({path_.data(), steps_});
  const std::string message =
      fmt::format("{}:{}:{}: {}{}{}", record::printable(name_), line, column, field, field.empty() ? "" : ": ", what);
  throw ReadError(message, line, column, field);
}

void Scanner::refuse_kind(std::string_view expected) {
  refuse(fmt::format("expected {}, found {}", expected, describe(peek())));
}

void Scanner::refuse_value() const {
  if (at_end()) refuse("the text ends where a value should be");
  if (text_[at_] == 'N' || text_[at_] == 'I') refuse("NaN and Infinity are no JSON numbers; what is unknown is null");
  refuse(fmt::format("expected a value, found '{}'", record::printable(text_.substr(at_, 1))));
}

void Scanner::open(char bracket) {
  white_space();
  if (++depth_ > max_depth) refuse(fmt::format("nested deeper than {} levels", max_depth));
  if (at_end() || text_[at_] != bracket) refuse(fmt::format("expected '{}'", bracket));
  ++at_;
  first_ = true;
}

bool Scanner::first_or_last(char closing) {
  if (at_end()) refuse(fmt::format("the text ends before its '{}'", closing));
  if (text_[at_] == closing) {
    ++at_;
    --depth_;
    first_ = false;
    return false;
  }
  if (!first_)
    refuse(fmt::format("expected ',' or '{}', found '{}'", closing, record::printable(text_.substr(at_, 1))));
  first_ = false;
  return true;
}

void Scanner::open_object() {
  if (peek() != Kind::object) refuse_kind("an object");
  open('{');
}

bool Scanner::next_key(std::string_view& key) {
  if (!next_member()) return false;
  key = this->key();
  return true;
}

std::string_view Scanner::key() {
  if (at_end() || text_[at_] != '"') refuse("expected a key in double quotes");
  const std::string_view key = string_token();
  colon();
  return key;
}

void Scanner::open_array() {
  if (peek() != Kind::array) refuse_kind("an array");
  open('[');
}

std::string_view Scanner::text() {
  if (peek() != Kind::text) refuse_kind("text");
  return string_token();
}

double Scanner::number() {
  if (peek() != Kind::number) refuse_kind("a number");
  const char* const start = text_.data() + at_;
  const char* const stop = text_.data() + text_.size();
  double value = 0;
  const auto [end, error] = std::from_chars(start, stop, value);
  if (error == std::errc{} && is_json_number({start, end}, stop)) {
    at_ += static_cast<std::size_t>(end - start);
    return value;
  }
  number_token();  // refuses what is no JSON number
  refuse("the number is beyond what a double can hold");
}

// Of at most 24 characters with at most two digits of exponent, no number is beyond a double: its grammar is all there
// is to check.
void Scanner::check_number() {
  if (peek() != Kind::number) refuse_kind("a number");
  const std::size_t start = at_;
  if (number_token().size() <= 24 && exponent_digits_ <= 2) return;
  at_ = start;
  number();
}

// Nearly all integers have few digits and neither fraction nor exponent: these are taken in one walk.
std::optional<std::int64_t> Scanner::short_integer() {
  constexpr std::size_t most = 18;  // digits that an int64 always holds
  std::size_t at = at_;
  const bool negative = text_[at] == '-';
  if (negative) ++at;
  const std::size_t first = at;
  std::int64_t value = 0;
  for (; at < text_.size() && is_digit(text_[at]) && at - first < most; ++at) value = value * 10 + (text_[at] - '0');
  if (at == first || (text_[first] == '0' && at - first > 1)) return std::nullopt;
  if (at < text_.size() && (is_digit(text_[at]) || text_[at] == '.' || text_[at] == 'e' || text_[at] == 'E'))
    return std::nullopt;
  at_ = at;
  return negative ? -value : value;
}

std::int64_t Scanner::integer() {
  if (peek() != Kind::number) refuse_kind("an integer");
  if (const auto taken = short_integer()) return *taken;
  const std::string_view token = number_token();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc{} && end == token.data() + token.size()) return value;
  double real = 0;
  if (std::from_chars(token.data(), token.data() + token.size(), real).ec != std::errc{} || std::abs(real) > 0x1p53 ||
      real != std::trunc(real))
    refuse("expected an integer of at most 64 bits");
  return static_cast<std::int64_t>(real);
}

std::uint64_t Scanner::natural() {
  if (peek() != Kind::number) refuse_kind("an integer");
  const std::size_t start = at_;
  if (const auto taken = short_integer(); taken && *taken >= 0) return static_cast<std::uint64_t>(*taken);
  at_ = start;
  const std::string_view token = number_token();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error == std::errc{} && end == token.data() + token.size()) return value;
  at_ = start;
  const std::int64_t other = integer();
  if (other < 0) refuse("expected an integer that is not negative");
  return static_cast<std::uint64_t>(other);
}

bool Scanner::is_integral() {
  const std::size_t start = at_;
  number_token();
  at_ = start;
  return integral_ && exponent_digits_ == 0;
}

bool Scanner::boolean() {
  if (peek() != Kind::boolean) refuse_kind("true or false");
  const bool value = text_[at_] == 't';
  literal(value ? "true" : "false");
  return value;
}

void Scanner::null() {
  if (peek() != Kind::null) refuse_kind("null");
  literal("null");
}

void Scanner::skip() {
  switch (peek()) {
    case Kind::object: {
      std::set<std::string, std::less<>> seen;
      std::string_view key;
      open_object();
      while (next_key(key)) {
        const auto [place, fresh] = seen.emplace(key);
        if (!fresh) refuse(fmt::format("the key \"{}\" occurs twice", record::cut(record::printable(key), 80)));
        const Step step(*this, *place);
        skip();
      }
      return;
    }
    case Kind::array: {
      std::size_t index = 0;
      open_array();
      while (next_element()) {
        const Step step(*this, index++);
        skip();
      }
      return;
    }
    case Kind::text:
      string_token();
      return;
    case Kind::number:
      number_token();
      return;
    case Kind::boolean:
      boolean();
      return;
    case Kind::null:
      null();
      return;
  }
}

void Scanner::end() {
  white_space();
  if (!at_end()) refuse("something follows the end of the document");
}

}  // namespace ridge::json
