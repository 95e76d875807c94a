// Cells lined up in columns, and text broken into lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::sinks {

struct Column {
  std::string heading;
  bool left = false;  // text is flush left, figures right
  std::vector<std::string> cells;
};

// Rows of equally long columns, two spaces apart.
class Grid {
 public:
  explicit Grid(std::vector<Column> columns);

  [[nodiscard]] std::size_t width() const;
  [[nodiscard]] std::string heading() const;
  [[nodiscard]] std::string row(std::size_t index) const;

 private:
  [[nodiscard]] std::string line(const std::vector<std::string_view>& cells) const;

  std::vector<Column> columns_;
  std::vector<std::size_t> widths_;
};

// Lines of at most `width` columns; the first keeps its leading spaces, the others begin with `indent` of them. Words
// that are longer than a line are broken.
std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t indent);

enum class Paint { plain, bold, red, yellow, dim };
std::string paint(const std::string& text, Paint paint, bool colour);

}  // namespace ridge::sinks
