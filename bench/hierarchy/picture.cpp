// The latency staircase as text: log latency over log working set, and the levels below it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/hierarchy/conclusions.hpp"
#include "reports/record/text.hpp"
#include "reports/record/unit.hpp"

namespace ridge::bench::hierarchy {
namespace {

constexpr int rows = 14;
constexpr int margin = 10;  // "  1.23 ns |"
constexpr int label_room = 9;

struct Scale {
  double low, high;
  int steps;
  [[nodiscard]] int at(double value) const {
    if (!(high > low)) return 0;
    return static_cast<int>(std::lround((value - low) / (high - low) * (steps - 1)));
  }
};

class Canvas {
 public:
  Canvas(Scale x, Scale y)
      : x_(x), y_(y), cells_(static_cast<std::size_t>(y.steps), std::string(static_cast<std::size_t>(x.steps), ' ')) {}

  // Marks each size, and dots between them.
  void curve(const std::vector<CurvePoint>& points, char mark, char between) {
    for (std::size_t i = 1; i < points.size(); ++i) {
      const int from = x_.at(log_bytes(points[i - 1]));
      const int to = x_.at(log_bytes(points[i]));
      for (int x = from + 1; x < to; ++x) {
        const double part = static_cast<double>(x - from) / (to - from);
        put(x, y_.at((1 - part) * std::log(points[i - 1].seconds) + part * std::log(points[i].seconds)), between);
      }
    }
    for (const CurvePoint& point : points) put(x_.at(log_bytes(point)), y_.at(std::log(point.seconds)), mark);
  }

  [[nodiscard]] const std::string& row(int y) const { return cells_[static_cast<std::size_t>(y)]; }
  static double log_bytes(const CurvePoint& point) { return std::log2(static_cast<double>(point.bytes)); }

 private:
  void put(int x, int y, char mark) { cells_[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = mark; }
  Scale x_, y_;
  std::vector<std::string> cells_;
};

// Sizes under the axis, as many as there is room for.
std::string axis_labels(const std::vector<CurvePoint>& curve, const Scale& x) {
  std::string line(static_cast<std::size_t>(x.steps), ' ');
  int free_from = 0;
  for (const CurvePoint& point : curve) {
    const std::string label = record::human_bytes(static_cast<double>(point.bytes));
    const int begin = std::min(x.at(Canvas::log_bytes(point)), x.steps - static_cast<int>(label.size()));
    if (begin < free_from) continue;
    line.replace(static_cast<std::size_t>(begin), label.size(), label);
    free_from = begin + std::max(label_room, static_cast<int>(label.size()) + 2);
  }
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::string draw_device(std::span<const record::Record> records, const std::string& device, int columns) {
  const std::string pages = main_pages(records, device);
  const auto main = latency_curve(records, device, pages);
  const auto small = pages == "huge" ? latency_curve(records, device, "small") : std::vector<CurvePoint>{};
  const int width = columns - margin - 1;
  if (main.size() < 2 || width < label_room) return {};
  double low = main.front().seconds;
  double high = low;
  for (const auto* curve : {&main, &small})
    for (const CurvePoint& point : *curve) low = std::min(low, point.seconds), high = std::max(high, point.seconds);
  const Scale x{Canvas::log_bytes(main.front()), Canvas::log_bytes(main.back()), width};
  const Scale y{std::log(low), std::log(high), rows};
  Canvas canvas(x, y);
  const auto inside = [&](const std::vector<CurvePoint>& curve) {
    std::vector<CurvePoint> kept;
    for (const CurvePoint& point : curve)
      if (point.bytes >= main.front().bytes && point.bytes <= main.back().bytes) kept.push_back(point);
    return kept;
  };
  canvas.curve(inside(small), 'o', ' ');
  canvas.curve(main, '*', '.');

  std::string text = record::cut(fmt::format("latency of a load by working set, {}{}", device,
                                             small.empty() ? "" : " (* huge pages, o small ones)"),
                                 static_cast<std::size_t>(columns)) +
                     "\n";
  for (int row = rows - 1; row >= 0; --row) {
    const bool labelled = row % 3 == (rows - 1) % 3 || row == 0;
    const double value = std::exp(y.low + (y.high - y.low) * row / (rows - 1));
    const std::string& cells = canvas.row(row);
    text += fmt::format("{:>{}}|{}\n", labelled ? record::human(value, record::Unit::seconds) + " " : "", margin,
                        cells.substr(0, cells.find_last_not_of(' ') + 1));
  }
  text += fmt::format("{:>{}}+{:->{}}\n{:>{}} {}\n", "", margin, "", width, "", margin, axis_labels(main, x));
  for (const FoundLevel& level : find_levels(main).levels)
    text += record::cut("  " + text_of(level), static_cast<std::size_t>(columns)) + "\n";
  return text;
}

}  // namespace

std::string draw_staircase(std::span<const record::Record> records, int columns) {
  std::string text;
  for (const std::string& device : devices_of(records)) {
    const std::string picture = draw_device(records, device, columns);
    if (!picture.empty()) text += (text.empty() ? "" : "\n") + picture;
  }
  return text;
}

}  // namespace ridge::bench::hierarchy
