// What a copied buffer holds: a pattern of its own for every source, so that bytes from anywhere else are seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "kernels/random/counter.hpp"

namespace ridge::bench::transfer {

// What a destination holds before a copy arrives.
inline constexpr unsigned char poison = 0xA5;

class Pattern {
 public:
  // Different for every seed and every number.
  Pattern(std::uint64_t seed, std::uint64_t number) : sequence_(random::seed_of(seed, number)) {}

  void write(unsigned char* data, std::int64_t bytes) const {
    for (std::int64_t i = 0; i < bytes; i += 8) {
      const std::uint64_t word = random::bits(sequence_, static_cast<std::uint64_t>(i / 8));
      std::memcpy(data + i, &word, static_cast<std::size_t>(std::min<std::int64_t>(8, bytes - i)));
    }
  }

  // The first byte that differs, or nothing.
  [[nodiscard]] std::optional<std::int64_t> first_wrong(const unsigned char* data, std::int64_t bytes) const {
    for (std::int64_t i = 0; i < bytes; i += 8) {
      const std::uint64_t word = random::bits(sequence_, static_cast<std::uint64_t>(i / 8));
      unsigned char want[8];
      std::memcpy(want, &word, 8);
      for (std::int64_t k = 0; k < std::min<std::int64_t>(8, bytes - i); ++k)
        if (data[i + k] != want[k]) return i + k;
    }
    return std::nullopt;
  }

 private:
  std::uint64_t sequence_;
};

}  // namespace ridge::bench::transfer
