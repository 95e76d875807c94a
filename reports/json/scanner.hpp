// A strict pull scanner for JSON text (RFC 8259): the caller asks for what it expects, and learns where it was not so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "reports/json/path.hpp"

namespace ridge::json {

// What is wrong with a text, where, and in which field of the document.
class ReadError : public std::runtime_error {
 public:
  ReadError(const std::string& message, std::size_t line_number, std::size_t column_number, std::string field_path)
      : std::runtime_error(message), line(line_number), column(column_number), field(std::move(field_path)) {}
  std::size_t line;    // from 1; 0: not about a place in the text
  std::size_t column;  // from 1, in bytes
  std::string field;   // "records[3].metrics[0].value"; empty: the document itself
};

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Walks a text that outlives it. Deeper than `max_depth` or anything that is not JSON is a ReadError, whose message is
// "NAME:LINE:COLUMN: FIELD: what", safe to show.
class Scanner {
 public:
  static constexpr std::size_t max_depth = 64;

  // `name` stands for the text in messages: a path, or "standard input".
  Scanner(std::string_view text, std::string name);

  enum class Kind { object, array, text, number, boolean, null };
  Kind peek() {  // of the next value, which stays where it is
    white_space();
    if (!at_end()) switch (text_[at_]) {
        case '{':
          return Kind::object;
        case '[':
          return Kind::array;
        case '"':
          return Kind::text;
        case 't':
        case 'f':
          return Kind::boolean;
        case 'n':
          return Kind::null;
        default:
          if (text_[at_] == '-' || (text_[at_] >= '0' && text_[at_] <= '9')) return Kind::number;
      }
    refuse_value();
  }

  // Objects and arrays: `open_…`, then `next_…` before every member until it gives false, which also closes.
  void open_object();
  bool next_key(std::string_view& key);  // the view is good until the next call
  void open_array();
  bool next_element() { return next(']'); }

  // `next_key` in two steps, for a caller that knows which key should come: whether there is a member, then `take_key`
  // for as many guesses as wanted (it takes a key that is spelled just so, and leaves any other), then `key`.
  bool next_member() { return next('}'); }
  template <std::size_t N>
  bool take_key(const char (&expected)[N]) {  // of N − 1 characters: the compiler makes a few comparisons of it
    const std::string_view rest = text_.substr(at_);
    if (rest.size() <= N || rest.front() != '"' || rest[N] != '"' || std::memcmp(rest.data() + 1, expected, N - 1) != 0)
      return false;
    token_ = at_;
    at_ += N + 1;
    colon();
    return true;
  }
  std::string_view key();  // the view is good until the next call

  std::string_view text();  // the view is good until the next call
  double number();
  void check_number();     // refuses what number() refuses, and makes no double of the rest
  std::int64_t integer();  // also 5.0 and 1e9, which other tools make of integers, up to 2⁵³
  std::uint64_t natural();
  bool is_integral();  // whether the next value, a number, is written without fraction and exponent
  bool boolean();
  void null();
  void skip();  // any value, checked; keys that occur twice in one object are an error there too
  void end();   // nothing but white space is left

  void rewind();

  // Refuses the value (or key) that was last looked at or taken.
  [[noreturn]] void refuse(const std::string& what) const;
  // Refuses the next value for its kind: "expected a number, found text".
  [[noreturn]] void refuse_kind(std::string_view expected);

  // Names the part of the document that is being read while it lives.
  class Step {
   public:
    Step(Scanner& scanner, std::string_view key) : Step(scanner, Part{key, 0}) {}
    Step(Scanner& scanner, std::size_t index) : Step(scanner, Part{{}, index}) {}
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { --scanner_.steps_; }

   private:
    Step(Scanner& scanner, const Part& part) : scanner_(scanner) { scanner.path_.at(scanner.steps_++) = part; }
    Scanner& scanner_;
  };

 private:
  void white_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
    token_ = at_;
  }
  [[noreturn]] void refuse_value() const;  // what stands here begins none
  void open(char bracket);
  // Past the comma to the next member, or past the closing bracket.
  bool next(char closing) {
    white_space();
    if (first_ || at_end() || text_[at_] != ',') return first_or_last(closing);
    ++at_;
    white_space();
    return true;
  }
  bool first_or_last(char closing);
  void colon() {
    const std::size_t key_token = token_;
    white_space();
    if (at_end() || text_[at_] != ':') refuse("expected ':' after the key");
    ++at_;
    token_ = key_token;
  }
  std::optional<std::int64_t> short_integer();
  std::string_view number_token();
  std::string_view string_token();
  void escape();
  std::uint32_t four_hex_digits();
  void literal(std::string_view word);
  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  std::size_t token_ = 0;  // where the last token began
  std::size_t depth_ = 0;
  bool first_ = false;               // right behind an opening bracket
  bool integral_ = false;            // the last number token has no fraction
  std::size_t exponent_digits_ = 0;  // of the last number token; 0: no exponent
  std::string unescaped_;
  std::array<Part, max_depth + 1> path_;  // at most one step for each open bracket
  std::size_t steps_ = 0;
};

}  // namespace ridge::json
