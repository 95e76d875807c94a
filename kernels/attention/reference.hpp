// Attention in f64, a row at a time, from inputs made anew; two kinds of inputs, and how far f32 may be off.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/attention/attention.hpp"
#include "kernels/random/counter.hpp"

namespace ridge::attention {

// random: every value in ±[1, 2) with a full mantissa: tries the arithmetic.
// even: all queries 0 and every value 0 or 1, so that a row is the mean of the values that it sees: a key too many or
// too few moves each result by more than its bound, which with random weights nothing but luck would show.
enum class Inputs { random, even };

struct Numbers {
  std::uint64_t seed = 0;
  Inputs inputs = Inputs::random;
  // Element of q, k or v (0, 1, 2).
  [[nodiscard]] float at(int which, std::int64_t index) const {
    const std::uint64_t bits =
        random::bits(random::seed_of(seed, static_cast<std::uint64_t>(which)), static_cast<std::uint64_t>(index));
    if (inputs == Inputs::even && which != 1) return which == 0 ? 0.0F : static_cast<float>(bits >> 63);
    return random::full_mantissa<float>(bits);
  }
};

// One head.
class Oracle {
 public:
  Oracle(const Shape& shape, const Numbers& numbers, std::int64_t head)
      : shape_(shape), numbers_(numbers), first_(head * shape.sequence * shape.head) {
    const std::int64_t n = shape.sequence, d = shape.head;
    keys_.resize(static_cast<std::size_t>(n * d));
    values_.resize(static_cast<std::size_t>((n + 1) * d));
    for (std::int64_t i = 0; i < n * d; ++i) {
      keys_[static_cast<std::size_t>(i)] = static_cast<double>(numbers.at(1, first_ + i));
      values_[static_cast<std::size_t>(i)] = static_cast<double>(numbers.at(2, first_ + i));
    }
    if (numbers.inputs == Inputs::random) return;
    for (std::int64_t i = d; i < n * d; ++i)  // what all keys up to each add up to, exactly
      values_[static_cast<std::size_t>(i)] += values_[static_cast<std::size_t>(i - d)];
  }

  // (head) of query i.
  [[nodiscard]] std::vector<double> row(std::int64_t i) const {
    const std::int64_t seen = shape_.causal ? i + 1 : shape_.sequence;
    const auto d = static_cast<std::size_t>(shape_.head);
    std::vector<double> out(d);
    if (numbers_.inputs == Inputs::even) {
      const double* const sums = values_.data() + static_cast<std::size_t>(seen - 1) * d;
      for (std::size_t c = 0; c < d; ++c) out[c] = sums[c] / static_cast<double>(seen);
      return out;
    }
    std::vector<double> query(d), weights(static_cast<std::size_t>(seen));
    for (std::size_t c = 0; c < d; ++c)
      query[c] = static_cast<double>(numbers_.at(0, first_ + i * shape_.head + static_cast<std::int64_t>(c))) /
                 std::sqrt(static_cast<double>(d));
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = product(query.data(), keys_.data() + j * d);
    const double max = *std::max_element(weights.begin(), weights.end());
    double total = 0;
    for (double& weight : weights) total += weight = std::exp(weight - max);
    double sums[most_head] = {};
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double* const value = values_.data() + j * d;
      const double weight = weights[j];
      for (std::size_t c = 0; c < d; c += 4) {
        sums[c] += weight * value[c];
        sums[c + 1] += weight * value[c + 1];
        sums[c + 2] += weight * value[c + 2];
        sums[c + 3] += weight * value[c + 3];
      }
    }
    for (std::size_t c = 0; c < d; ++c) out[c] = sums[c] / total;
    return out;
  }

  // Even: as many roundings as a block has keys, and one for each block. Random: a score may be off by a rounding for
  // each of `head` products below 4/√head, in the numerator and the denominator; values are below 2.
  [[nodiscard]] double bound() const {
    constexpr double unit = 6e-8;  // 2^-24
    const double blocks = static_cast<double>(key_blocks(shape_));
    const double sums = static_cast<double>(key_block) + blocks + 8;
    if (numbers_.inputs == Inputs::even) return unit * sums;
    return 2 * unit *
           (2 * 4 * std::pow(static_cast<double>(shape_.head), 0.5) * static_cast<double>(shape_.head) + 2 * sums);
  }

 private:
  // Four sums, so that no addition waits for the one before.
  [[nodiscard]] double product(const double* a, const double* b) const {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (std::int64_t c = 0; c < shape_.head; c += 4) {
      s0 += a[c] * b[c];
      s1 += a[c + 1] * b[c + 1];
      s2 += a[c + 2] * b[c + 2];
      s3 += a[c + 3] * b[c + 3];
    }
    return (s0 + s1) + (s2 + s3);
  }

  Shape shape_;
  Numbers numbers_;
  std::int64_t first_;          // element of this head's first
  std::vector<double> keys_;    // (sequence, head)
  std::vector<double> values_;  // (sequence, head), even: sums up to each
};

}  // namespace ridge::attention
