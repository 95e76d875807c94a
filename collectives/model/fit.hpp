// The α–β–γ model of one algorithm at one number of ranks: time(s) = α + s / rate (Hockney, "The communication
// challenge for MPP", 1994), s the bytes of each rank's array, and of the time per byte
//
//   1 / rate = passed · β + joined · γ
//
// what passing takes and what joining takes (Thakur, Rabenseifner, Gropp, 2005), with `passed` and `joined` the bytes
// for each byte of s that the algorithm has go through its busiest rank, and be joined there.
//
// α is what an empty collective would take; divided by the algorithm's steps it is the latency of a message. rate is
// what algbw comes to for endless arrays. n½ = α · rate is the size at which half of it is reached. One algorithm's
// times do not tell β from γ, since every size passes and joins in one proportion: γ is measured by itself, and β is
// what it leaves.
#pragma once

#include <optional>
#include <span>

namespace ridge::collectives {

struct Timed {
  double bytes = 0;
  double seconds = 0;
  std::optional<double> joining = {};  // seconds that a rank takes to join as many bytes, with nothing to wait for
};

// What an algorithm has its busiest rank do, for each byte of s.
struct Load {
  double passed = 0;
  double joined = 0;
};

struct Model {
  double alpha = 0;  // seconds
  double seconds_per_byte = 0;
  double residual = 0;               // median over the sizes of |time(s) / measured − 1|
  std::optional<double> gamma = {};  // seconds for each byte joined, where that was measured
  [[nodiscard]] double time(double bytes) const { return alpha + bytes * seconds_per_byte; }
  [[nodiscard]] double rate() const { return 1 / seconds_per_byte; }
  [[nodiscard]] double half_size() const { return alpha / seconds_per_byte; }
  // β, seconds for each byte passed. Nothing where γ is unknown, and where joining leaves no more than the model is
  // off by, or 5 %: what passing takes cannot be told then.
  [[nodiscard]] std::optional<double> beta(const Load& load) const;
  // The same algorithm with another load; α stays. By β and γ where both are known; by γ alone, as much of it as the
  // time per byte comes to, where joining leaves nothing; by the bytes passed where γ is unknown or nothing is joined.
  [[nodiscard]] Model with(const Load& from, const Load& to) const;
};

// Least squares of the relative errors, so that a microsecond counts as much at 8 bytes as a tenth of a second does at
// 1 GiB; neither term is allowed to be negative. Nothing with fewer than three different sizes. γ is the slope of the
// joining times, each with the weight that its size has in the model; none unless three different sizes have one.
std::optional<Model> fit(std::span<const Timed> timed);

// The size from which b is the faster: where the two lines cross. Nothing where one of them is the faster everywhere.
std::optional<double> crossover(const Model& a, const Model& b);

}  // namespace ridge::collectives
