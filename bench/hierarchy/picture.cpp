// The latency staircase as text: log latency over log working set, and the levels below it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/hierarchy/conclusions.hpp"
#include "reports/plot/canvas.hpp"
#include "reports/record/text.hpp"
#include "reports/record/unit.hpp"

namespace ridge::bench::hierarchy {
namespace {

constexpr int rows = 16;
constexpr int fewest_columns = 18;

// Seconds at a size between the measured ones: a straight line over both logarithms.
double between(const std::vector<CurvePoint>& curve, double bytes) {
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const double from = std::log(static_cast<double>(curve[i - 1].bytes));
    const double to = std::log(static_cast<double>(curve[i].bytes));
    if (std::log(bytes) > to || !(to > from)) continue;
    const double part = std::max(0.0, (std::log(bytes) - from) / (to - from));
    return curve[i - 1].seconds * std::pow(curve[i].seconds / curve[i - 1].seconds, part);
  }
  return curve.back().seconds;
}

std::string draw_device(std::span<const record::Record> records, const std::string& device, int columns) {
  const std::string pages = main_pages(records, device);
  const auto main = latency_curve(records, device, pages);
  const auto small = pages == "huge" ? latency_curve(records, device, "small") : std::vector<CurvePoint>{};
  if (main.size() < 2 || columns < fewest_columns) return {};
  double low = main.front().seconds;
  double high = low;
  for (const auto* curve : {&main, &small})
    for (const CurvePoint& point : *curve) low = std::min(low, point.seconds), high = std::max(high, point.seconds);
  if (!(high > low)) high = 2 * low;
  const auto bytes = [](const CurvePoint& point) { return static_cast<double>(point.bytes); };
  plot::Canvas canvas({bytes(main.front()), bytes(main.back()), record::human_bytes, 4},
                      {low, high, [](double value) { return record::human(value, record::Unit::seconds); }, 0}, columns,
                      rows);
  canvas.curve([&](double x) { return std::clamp(between(main, x), low, high); }, '.');
  for (const CurvePoint& point : small)
    if (point.bytes >= main.front().bytes && point.bytes <= main.back().bytes)
      canvas.mark(bytes(point), point.seconds, 'o');
  for (const CurvePoint& point : main) canvas.mark(bytes(point), point.seconds, '*');

  std::string text = record::cut(fmt::format("latency of a load by working set, {}{}", device,
                                             small.empty() ? "" : " (* huge pages, o small ones, + both)"),
                                 static_cast<std::size_t>(columns)) +
                     "\n" + canvas.text();
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
