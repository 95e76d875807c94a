// Two unknowns by their normal equations.
#include "collectives/model/fit.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace ridge::collectives {
namespace {

// Minimises Σ ((a + b s) / t − 1)².
Model least_squares(std::span<const Timed> timed) {
  double xx = 0;
  double xy = 0;
  double yy = 0;
  double x1 = 0;
  double y1 = 0;
  for (const Timed& each : timed) {
    const double x = 1 / each.seconds;           // of a
    const double y = each.bytes / each.seconds;  // of b
    xx += x * x;
    xy += x * y;
    yy += y * y;
    x1 += x;
    y1 += y;
  }
  Model model;
  const double determinant = xx * yy - xy * xy;
  model.alpha = (x1 * yy - y1 * xy) / determinant;
  model.seconds_per_byte = (y1 * xx - x1 * xy) / determinant;
  // A term that would be negative is left out: the other alone then fits best.
  if (model.alpha < 0) model = {0, y1 / yy, 0};
  if (model.seconds_per_byte < 0) model = {x1 / xx, 0, 0};
  return model;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace

std::optional<Model> fit(std::span<const Timed> timed) {
  std::set<double> sizes;
  for (const Timed& each : timed) {
    if (!(each.seconds > 0) || each.bytes < 0) return std::nullopt;
    sizes.insert(each.bytes);
  }
  if (sizes.size() < 3) return std::nullopt;
  Model model = least_squares(timed);
  std::vector<double> errors;
  for (const Timed& each : timed) errors.push_back(std::abs(model.time(each.bytes) / each.seconds - 1));
  model.residual = median(std::move(errors));
  return model;
}

std::optional<double> crossover(const Model& a, const Model& b) {
  const double at = (b.alpha - a.alpha) / (a.seconds_per_byte - b.seconds_per_byte);
  if (!std::isfinite(at) || at <= 0) return std::nullopt;
  return at;
}

}  // namespace ridge::collectives
