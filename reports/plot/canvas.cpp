// Places glyphs in a grid of characters.
#include "reports/plot/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "reports/record/text.hpp"

namespace ridge::plot {
namespace {

constexpr int margin = 10;  // a label of eight columns, a blank, the axis
constexpr int least_width = 8;
constexpr int least_height = 3;

double share(const Axis& axis, double value) {
  return std::log(value / axis.least) / std::log(axis.most / axis.least);
}

// The labelled values: powers of the factor that lie on the axis, whole numbers of them from 1.
std::vector<double> ticks(const Axis& axis) {
  std::vector<double> values;
  const double first = std::ceil(std::log(axis.least) / std::log(axis.factor) - 1e-9);
  const double last = std::floor(std::log(axis.most) / std::log(axis.factor) + 1e-9);
  for (double power = first; power <= last; ++power) values.push_back(std::pow(axis.factor, power));
  return values;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

Canvas::Canvas(Axis x, Axis y, int columns, int rows)
    : x_(std::move(x)),
      y_(std::move(y)),
      width_(std::max(least_width, columns - margin)),
      height_(std::max(least_height, rows - 2)),
      cells_(static_cast<std::size_t>(height_), std::string(static_cast<std::size_t>(width_), ' ')),
      marks_(cells_) {}

int Canvas::column_of(double x) const {
  return std::clamp(static_cast<int>(std::lround(share(x_, x) * (width_ - 1))), 0, width_ - 1);
}

int Canvas::row_of(double y) const {
  return height_ - 1 - std::clamp(static_cast<int>(std::lround(share(y_, y) * (height_ - 1))), 0, height_ - 1);
}

void Canvas::curve(const std::function<double(double)>& y, char glyph) {
  for (int column = 0; column < width_; ++column) {
    const double x = x_.least * std::pow(x_.most / x_.least, static_cast<double>(column) / (width_ - 1));
    const double value = y(x);
    if (!(value >= y_.least && value <= y_.most)) continue;
    cells_[static_cast<std::size_t>(row_of(value))][static_cast<std::size_t>(column)] = glyph;
  }
}

void Canvas::mark(double x, double y, char glyph) {
  if (!(x > 0) || !(y > 0)) return;
  char& cell = marks_[static_cast<std::size_t>(row_of(y))][static_cast<std::size_t>(column_of(x))];
  cell = cell == ' ' || cell == glyph ? glyph : '+';
}

std::string Canvas::left_label(int row) const {
  if (y_.factor == 0) {
    if (row % 3 != 0 && row != height_ - 1) return "";
    return y_.label(y_.most * std::pow(y_.least / y_.most, static_cast<double>(row) / (height_ - 1)));
  }
  for (const double value : ticks(y_))
    if (row_of(value) == row) return y_.label(value);
  return "";
}

// Labels under their columns, within the picture; each left out where it would touch the one before.
std::string Canvas::bottom() const {
  std::string line(static_cast<std::size_t>(margin + width_), ' ');
  int free_from = 0;
  for (const double value : ticks(x_)) {
    const std::string label = x_.label(value);
    const int wide = static_cast<int>(label.size());
    const int start = std::min(std::max(0, margin + column_of(value) - wide / 2), margin + width_ - wide);
    if (start < free_from) continue;
    line.replace(static_cast<std::size_t>(start), label.size(), label);
    free_from = start + wide + 1;
  }
  return without_trailing_blanks(line);
}

std::string Canvas::text() const {
  std::string out;
  for (int row = 0; row < height_; ++row) {
    const std::string label = record::cut(left_label(row), margin - 2);
    std::string line(static_cast<std::size_t>(margin) - 2 - record::columns(label), ' ');
    line += label + " |";
    const auto r = static_cast<std::size_t>(row);
    for (std::size_t c = 0; c < cells_[r].size(); ++c) line += marks_[r][c] != ' ' ? marks_[r][c] : cells_[r][c];
    out += without_trailing_blanks(line) + "\n";
  }
  out += std::string(margin - 1, ' ') + "+" + std::string(static_cast<std::size_t>(width_), '-') + "\n";
  return out + bottom() + "\n";
}

}  // namespace ridge::plot
