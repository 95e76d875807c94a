// The patterns on a CPU: eight loads under way. With a stride one element each, which leaves vectors nothing to load or
// to store; without one whole words and vectors, as any program would: narrow stores one by one took longer than memory
// does, and what a stride costs hid behind the instructions.
#include "kernels/access/access.hpp"

#include <bit>
#include <cstring>

#include "kernels/access/neighbours.hpp"

namespace ridge::access {

namespace {

constexpr std::int64_t lanes = 8;  // a multiple of the places in a word, so that each lane's place is its own

// Neighbours: whole words, which hold their elements at the places that spread() gives them.
std::uint64_t load_words(const unsigned char* at, std::int64_t words) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t bits[lanes] = {};
  std::int64_t i = 0;
  for (; i + lanes <= words; i += lanes) {
    std::uint64_t some[lanes];
    std::memcpy(some, at + i * 8, sizeof(some));
    for (std::int64_t lane = 0; lane < lanes; ++lane) bits[lane] ^= some[lane];
  }
  for (; i < words; ++i) {
    std::uint64_t one = 0;
    std::memcpy(&one, at + i * 8, 8);
    bits[0] ^= one;
  }
  std::uint64_t all = 0;
  for (const std::uint64_t each : bits) all ^= each;
  return all;
}

// Elements [i, end), i a multiple of the lanes, end - i as well. Elements are put at their places at the end: the same,
// for an exclusive or, as doing it one by one, and one instruction less for each.
template <class T>
std::uint64_t load_strided(const T* at, std::int64_t stride, std::int64_t count) {
  T bits[lanes] = {};
  for (std::int64_t i = 0; i < count; i += lanes, at += lanes * stride)
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      if constexpr (sizeof(T) == 16) {
        bits[lane].low ^= at[lane * stride].low;
        bits[lane].high ^= at[lane * stride].high;
      } else {
        bits[lane] = static_cast<T>(bits[lane] ^ at[lane * stride]);
      }
    }
  std::uint64_t all = 0;
  for (std::int64_t lane = 0; lane < lanes; ++lane) all ^= spread(bits[lane], lane);
  return all;
}

}  // namespace

template <class T>
std::uint64_t cpu_load(const T* src, const Pattern& p, std::int64_t begin, std::int64_t end) {
  std::uint64_t bits = 0;
  std::int64_t i = begin;
  for (; i < end && i % lanes != 0; ++i) bits ^= spread(src[p.offset + i * p.stride], i);
  const std::int64_t whole = (end - i) / lanes * lanes;
  const T* const at = src + p.offset + i * p.stride;
  if constexpr (sizeof(T) <= 8) {
    bits ^= p.stride == 1 ? load_words(reinterpret_cast<const unsigned char*>(at),
                                       whole * static_cast<std::int64_t>(sizeof(T)) / 8)
                          : load_strided(at, p.stride, whole);
  } else {
    bits ^= load_strided(at, p.stride, whole);
  }
  for (i += whole; i < end; ++i) bits ^= spread(src[p.offset + i * p.stride], i);
  return bits;
}

template <class T>
void cpu_store(T* dst, const Pattern& p, std::int64_t begin, std::int64_t end) {
  std::int64_t i = begin;
  if constexpr (sizeof(T) < 8)
    if (p.stride == 1) i += store_neighbours(dst + p.offset + begin, begin, end - begin);
  for (T* at = dst + p.offset + i * p.stride; i < end; ++i, at += p.stride) *at = pattern<T>(i);
}

#define RIDGE_ACCESS(T)                                                                     \
  template std::uint64_t cpu_load<T>(const T*, const Pattern&, std::int64_t, std::int64_t); \
  template void cpu_store<T>(T*, const Pattern&, std::int64_t, std::int64_t)
RIDGE_ACCESS(std::uint8_t);
RIDGE_ACCESS(std::uint16_t);
RIDGE_ACCESS(std::uint32_t);
RIDGE_ACCESS(std::uint64_t);
RIDGE_ACCESS(Wide);

}  // namespace ridge::access
