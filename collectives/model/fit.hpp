// The α–β model of one algorithm at one number of ranks: time(s) = α + s / rate (Hockney, "The communication challenge
// for MPP", 1994), s the bytes of each rank's array.
//
// α is what an empty collective would take; divided by the algorithm's steps it is the latency of a message. rate is
// what algbw comes to for endless arrays. n½ = α · rate is the size at which half of it is reached.
#pragma once

#include <optional>
#include <span>

namespace ridge::collectives {

struct Timed {
  double bytes = 0;
  double seconds = 0;
};

struct Model {
  double alpha = 0;  // seconds
  double seconds_per_byte = 0;
  double residual = 0;  // median over the sizes of |time(s) / measured − 1|
  [[nodiscard]] double time(double bytes) const { return alpha + bytes * seconds_per_byte; }
  [[nodiscard]] double rate() const { return 1 / seconds_per_byte; }
  [[nodiscard]] double half_size() const { return alpha / seconds_per_byte; }
};

// Least squares of the relative errors, so that a microsecond counts as much at 8 bytes as a tenth of a second does at
// 1 GiB; neither term is allowed to be negative. Nothing with fewer than three different sizes.
std::optional<Model> fit(std::span<const Timed> timed);

// The size from which b is the faster: where the two lines cross. Nothing where one of them is the faster everywhere.
std::optional<double> crossover(const Model& a, const Model& b);

}  // namespace ridge::collectives
