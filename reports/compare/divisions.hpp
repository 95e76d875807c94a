// The same runs, divided otherwise: how often would some metric have crossed its threshold by as much?
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace ridge::compare {

// A choice of which of a metric's runs count as new; the others are its baseline.
using Division = std::vector<bool>;  // (runs)

// All divisions of `base` + `fresh` runs into as many, except the real one, or `most_divisions` random ones (the same
// every time) when there are more.
inline constexpr std::size_t most_divisions = 500;
std::vector<Division> divisions_of(std::size_t base, std::size_t fresh);

// What one division of one metric's values comes to.
struct Divided {
  double slowdown = 0;      // median of the new values − median of the others
  double base_squares = 0;  // sums of squared deviations from the mean
  double fresh_squares = 0;
};

// A metric's values, sorted once so that every division costs one walk over them.
class Divisible {
 public:
  Divisible(std::span<const double> base, std::span<const double> fresh);
  [[nodiscard]] Divided at(const Division& division) const;
  [[nodiscard]] double range() const { return sorted_.back().first - sorted_.front().first; }

 private:
  std::vector<std::pair<double, std::size_t>> sorted_;  // value, run
  std::size_t fresh_;
};

// Divisions by the numbers of runs, made when first asked for.
class Divisions {
 public:
  const std::vector<Division>& of(std::size_t base, std::size_t fresh);

 private:
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Division>> known_;
};

// The largest of all metrics in each division; metrics with fewer divisions than others repeat theirs.
class Largest {
 public:
  void take(std::span<const double> of_one_metric);
  // In what share of the divisions, the real one among them, the largest is at least `value`; 0 when in no other.
  [[nodiscard]] double share(double value) const;

 private:
  std::vector<double> largest_;
};

}  // namespace ridge::compare
