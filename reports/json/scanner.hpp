// A strict pull scanner for JSON text (RFC 8259): the caller asks for what it expects, and learns where it was not so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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

// Walks a text that outlives it. Deeper than `max_depth` or anything that is not JSON is a ReadError, whose message is
// "NAME:LINE:COLUMN: FIELD: what", safe to show.
class Scanner {
 public:
  static constexpr std::size_t max_depth = 64;

  // `name` stands for the text in messages: a path, or "standard input".
  Scanner(std::string_view text, std::string name);

  enum class Kind { object, array, text, number, boolean, null };
  Kind peek();  // of the next value, which stays where it is

  // Objects and arrays: `open_…`, then `next_…` before every member until it gives false, which also closes.
  void open_object();
  bool next_key(std::string_view& key);  // the view is good until the next call
  void open_array();
  bool next_element();

  std::string_view text();  // the view is good until the next call
  double number();
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
    Step(Scanner& scanner, std::string_view key) : scanner_(scanner) { scanner.path_.push_back({key, 0}); }
    Step(Scanner& scanner, std::size_t index) : scanner_(scanner) { scanner.path_.push_back({{}, index}); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { scanner_.path_.pop_back(); }

   private:
    Scanner& scanner_;
  };

 private:
  struct Part {
    std::string_view key;  // no data: an index
    std::size_t index;
  };

  void white_space();
  void open(char bracket);
  bool next(char closing);
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
  bool first_ = false;  // right behind an opening bracket
  std::string unescaped_;
  std::vector<Part> path_;
};

}  // namespace ridge::json
