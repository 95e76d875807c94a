// A picture for a terminal: marks and curves over two logarithmic axes, in plain ASCII.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ridge::plot {

// A logarithmic axis from `least` to `most`, both > 0 and different.
struct Axis {
  double least = 1;
  double most = 10;
  // What a person reads at a value: "64 KiB", "10 ns". At most 8 columns of it are shown along the left edge.
  std::function<std::string(double)> label;
  // Between labelled values, which are its powers. 0, for a y axis: every third line is labelled with its own value.
  double factor = 10;
};

class Canvas {
 public:
  // `columns` and `rows` of the whole picture, labels included; at least 18 × 5 are used. The sizes are those of text:
  // nothing below is wider.
  Canvas(Axis x, Axis y, int columns, int rows);

  // y(x) where it lies within the axes, one glyph a column, over what was drawn before.
  void curve(const std::function<double(double)>& y, char glyph);
  // One glyph at a point; outside of the axes it is put at the edge. Another mark already there becomes '+'.
  void mark(double x, double y, char glyph);

  // Lines ended by newlines, no trailing blanks: the picture with its y labels, then the x axis and its labels.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] int column_of(double x) const;
  [[nodiscard]] int row_of(double y) const;
  [[nodiscard]] std::string left_label(int row) const;
  [[nodiscard]] std::string bottom() const;

  Axis x_;
  Axis y_;
  int width_;
  int height_;
  std::vector<std::string> cells_;  // rows from the top
  std::vector<std::string> marks_;  // ' ' where no mark is
};

}  // namespace ridge::plot
