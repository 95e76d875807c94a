// Two unknowns by their normal equations, for whole times and for those of joining.
#include "collectives/model/fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <vector>

namespace ridge::collectives {
namespace {

struct Line {
  double at_zero = 0;
  double slope = 0;
};

// Minimises Σ ((a + b s − value) / t)², t the seconds of that size; with a = 0 if `through_zero`.
template <class Value>
Line least_squares(std::span<const Timed> timed, const Value& value, bool through_zero) {
  double xx = 0;
  double xy = 0;
  double yy = 0;
  double xv = 0;
  double yv = 0;
  for (const Timed& each : timed) {
    const double x = 1 / each.seconds;           // of a
    const double y = each.bytes / each.seconds;  // of b
    const double v = value(each) / each.seconds;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xv += x * v;
    yv += y * v;
  }
  if (through_zero) return {0, yv / yy};
  const double determinant = xx * yy - xy * xy;
  Line line{(xv * yy - yv * xy) / determinant, (yv * xx - xv * xy) / determinant};
  // A term that would be negative is left out: the other alone then fits best.
  if (line.at_zero < 0) line = {0, yv / yy};
  if (line.slope < 0) line = {xv / xx, 0};
  return line;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

bool has_three_sizes(std::span<const Timed> timed) {
  std::set<double> sizes;
  for (const Timed& each : timed) sizes.insert(each.bytes);
  return sizes.size() >= 3;
}

// Of a level's joining times, at the weights of its model.
std::optional<double> gamma_of(std::span<const Timed> timed, bool through_zero) {
  std::vector<Timed> joined;
  std::copy_if(timed.begin(), timed.end(), std::back_inserter(joined), [](const Timed& each) { return each.joining; });
  if (!has_three_sizes(joined)) return std::nullopt;
  const auto joining = [](const Timed& each) { return *each.joining; };
  const double slope = least_squares(joined, joining, through_zero).slope;
  return slope > 0 ? std::optional(slope) : std::nullopt;
}

}  // namespace

std::optional<double> Model::beta(const Load& load) const {
  constexpr double least_share = 0.05;
  if (!gamma || load.passed <= 0) return std::nullopt;
  const double left = seconds_per_byte - load.joined * *gamma;
  if (left <= std::max(least_share, residual) * seconds_per_byte) return std::nullopt;
  return left / load.passed;
}

Model Model::with(const Load& from, const Load& to) const {
  Model other = *this;
  if (const auto passing = beta(from))
    other.seconds_per_byte = *passing * to.passed + *gamma * to.joined;
  else if (gamma && from.joined > 0)
    other.seconds_per_byte *= to.joined / from.joined;
  else
    other.seconds_per_byte *= to.passed / from.passed;
  return other;
}

std::optional<Model> fit(std::span<const Timed> timed) {
  for (const Timed& each : timed)
    if (!(each.seconds > 0) || each.bytes < 0) return std::nullopt;
  if (!has_three_sizes(timed)) return std::nullopt;
  const auto seconds = [](const Timed& each) { return each.seconds; };
  const Line line = least_squares(timed, seconds, false);
  Model model{line.at_zero, line.slope, 0};
  model.gamma = gamma_of(timed, line.at_zero == 0);
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
