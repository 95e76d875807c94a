// Two columns of text: names on the left, values wrapped under themselves on the right.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::info {

class Columns {
 public:
  // `width`: columns of a whole line, at least 40.
  explicit Columns(int width);

  void heading(std::string_view title);
  // Each value begins a line of its own; none reads "unknown".
  void row(std::string_view name, const std::vector<std::string>& values);
  void row(std::string_view name, const std::optional<std::string>& value);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  int width_;
  std::string text_;
};

// At blanks into pieces of at most `width` columns; a longer word is cut. At least one piece. UTF-8 counts by code
// points; control characters become '?'.
std::vector<std::string> wrapped(std::string_view text, int width);

}  // namespace ridge::info
