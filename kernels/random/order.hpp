// A random order of n things (called lines here) that is computed, not stored: no table, no shuffle.
//
// A shuffle of a table costs a random access to memory for each line, which for a gigabyte of lines takes longer than
// all of the measuring. Here the order is a keyed bijection of [0, 2^m), 2^m ≥ n: rounds of multiplication by an odd
// number and of folding the high half onto the low one, each of which can be undone. Positions whose line would be n or
// above are walked on (at most half are), which keeps it a bijection of [0, n).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/random/counter.hpp"

namespace ridge::random {

class Order {
 public:
  // n ≥ 0 lines; of none there is nothing to ask.
  Order(std::uint64_t seed, std::int64_t n)
      : count_(static_cast<std::uint64_t>(n)),
        bits_(std::max(2, static_cast<int>(std::bit_width(count_ == 0 ? 0 : count_ - 1)))) {
    mask_ = (std::uint64_t{1} << bits_) - 1;
    for (int round = 0; round < rounds; ++round) {
      const auto random = bits(seed_of(seed, sequence), static_cast<std::uint64_t>(round));
      multiplier_[round] = random | 1;
      inverse_[round] = inverse_of(random | 1);
      added_[round] = bits(random, 1);
    }
  }

  // The line at a position, both in [0, n).
  [[nodiscard]] std::int64_t line(std::int64_t position) const {
    auto x = static_cast<std::uint64_t>(position);
    do {
      for (int round = 0; round < rounds; ++round) {
        x = (x * multiplier_[round] + added_[round]) & mask_;
        x ^= x >> (bits_ + 1) / 2;
      }
    } while (x >= count_);
    return static_cast<std::int64_t>(x);
  }

  // The position of a line.
  [[nodiscard]] std::int64_t position(std::int64_t line) const {
    auto x = static_cast<std::uint64_t>(line);
    do {
      for (int round = rounds - 1; round >= 0; --round) {
        x ^= x >> (bits_ + 1) / 2;  // twice is once: the shift is at least half of the width
        x = (x - added_[round]) * inverse_[round] & mask_;
      }
    } while (x >= count_);
    return static_cast<std::int64_t>(x);
  }

  // The line after that one on the cycle.
  [[nodiscard]] std::int64_t next(std::int64_t line) const {
    const std::int64_t at = position(line) + 1;
    return this->line(at == static_cast<std::int64_t>(count_) ? 0 : at);
  }

 private:
  static constexpr int rounds = 4;
  static constexpr std::uint64_t sequence = 0x636861736573;  // apart from the sequences that fill arrays

  // Modulo 2^64: each step of Newton's method doubles the number of right bits, and an odd number is its own inverse
  // modulo 8.
  static constexpr std::uint64_t inverse_of(std::uint64_t odd) {
    std::uint64_t inverse = odd;
    for (int right = 3; right < 64; right *= 2) inverse *= 2 - odd * inverse;
    return inverse;
  }

  std::uint64_t count_;
  int bits_;
  std::uint64_t mask_ = 0;
  std::uint64_t multiplier_[rounds] = {};
  std::uint64_t inverse_[rounds] = {};
  std::uint64_t added_[rounds] = {};
};

}  // namespace ridge::random
