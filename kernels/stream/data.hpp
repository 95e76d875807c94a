// What the arrays hold: a function of the index, so that a check can make the inputs anew.
#pragma once

#include <cstdint>

#include "kernels/random/counter.hpp"

namespace ridge::stream {

enum class Content {
  random,  // ±[1, 2), full mantissa
  whole,   // 1, 2 or 3: sums of products are exact, so that one lost element shows
  zero,
};

// The scalar of scale, triad and write: an odd mantissa, so that a product rounds.
template <class T>
inline constexpr T scalar = static_cast<T>(1.2345678912345679);

// Array 0 is b, array 1 is c.
class Data {
 public:
  Data(std::uint64_t seed, Content content) : seed_(seed), content_(content) {}

  template <class T>
  void fill(T* array, int which, std::int64_t begin, std::int64_t end) const {
    for (std::int64_t i = begin; i < end; ++i) array[i] = value<T>(which, i);
  }

  template <class T>
  [[nodiscard]] T value(int which, std::int64_t index) const {
    if (content_ == Content::zero) return 0;
    const auto sequence = random::seed_of(seed_, static_cast<std::uint64_t>(which));
    const auto bits = random::bits(sequence, static_cast<std::uint64_t>(index));
    return content_ == Content::random ? random::full_mantissa<T>(bits) : random::small_whole<T>(bits);
  }

 private:
  std::uint64_t seed_;
  Content content_;
};

}  // namespace ridge::stream
