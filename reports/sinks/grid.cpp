// Widths, padding, line breaks and colours.
#include "reports/sinks/grid.hpp"

#include <algorithm>

#include "reports/record/text.hpp"

namespace ridge::sinks {

using record::columns;
using record::fitting;

Grid::Grid(std::vector<Column> all) : columns_(std::move(all)) {
  for (const Column& column : columns_) {
    std::size_t widest = columns(column.heading);
    for (const std::string& cell : column.cells) widest = std::max(widest, columns(cell));
    widths_.push_back(widest);
  }
}

std::size_t Grid::width() const {
  std::size_t total = 0;
  for (const std::size_t width : widths_) total += width + 2;
  return total == 0 ? 0 : total - 2;
}

std::string Grid::line(const std::vector<std::string_view>& cells) const {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths_[i] - columns(cells[i]), ' ');
    if (i > 0) text += "  ";
    if (columns_[i].left)
      text.append(cells[i]).append(padding);
    else
      text.append(padding).append(cells[i]);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string Grid::heading() const {
  std::vector<std::string_view> cells;
  for (const Column& column : columns_) cells.emplace_back(column.heading);
  return line(cells);
}

std::string Grid::row(std::size_t index) const {
  std::vector<std::string_view> cells;
  for (const Column& column : columns_) cells.emplace_back(column.cells.at(index));
  return line(cells);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::vector<std::string> lines;
  std::string line;
  const auto flush = [&] {
    lines.push_back(line);
    line.assign(indent, ' ');
  };
  const auto blank = [&] { return line.find_first_not_of(' ') == std::string::npos; };
  width = std::max(width, indent + 4);
  const std::size_t leading = std::min(text.find_first_not_of(' '), text.size());
  line.assign(std::min(leading, width / 2), ' ');
  text.remove_prefix(leading);
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (!blank() && columns(line) + 1 + columns(word) > width) flush();
    if (!blank()) line += ' ';
    while (fitting(word, width - columns(line)) < word.size()) {
      // A character that is wider than the line still has to go somewhere.
      const std::size_t bytes = std::max<std::size_t>(fitting(word, width - columns(line)), 1);
      line += word.substr(0, bytes);
      word.remove_prefix(bytes);
      flush();
    }
    line += word;
  }
  if (!blank()) lines.push_back(line);
  return lines;
}

std::string paint(const std::string& text, Paint paint, bool colour) {
  if (!colour || text.empty()) return text;
  switch (paint) {
    case Paint::bold:
      return "\x1b[1m" + text + "\x1b[0m";
    case Paint::red:
      return "\x1b[31m" + text + "\x1b[0m";
    case Paint::yellow:
      return "\x1b[33m" + text + "\x1b[0m";
    case Paint::dim:
      return "\x1b[2m" + text + "\x1b[0m";
    case Paint::plain:
      break;
  }
  return text;
}

}  // namespace ridge::sinks
