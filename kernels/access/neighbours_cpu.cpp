// Stores to neighbours by SIMD: what is stored is made a vector at a time, so that memory is what limits it.
#include "kernels/access/neighbours.hpp"

#include "kernels/access/access.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/access/neighbours_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ridge::access {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <class T>
std::int64_t store(T*, std::int64_t, std::int64_t) {
  return 0;  // there are no vectors
}
#else
using Words = hn::ScalableTag<std::uint64_t>;

// The products that pattern() takes the upper bits of, of one vector of neighbours after the other.
struct Products {
  hn::Vec<Words> next, step;
};

// pattern<T>() of the next vector of elements. The upper half of each of two vectors' words is a vector of the next
// narrower type.
template <class T>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> made(Products& products) {
  if constexpr (sizeof(T) == 8) {
    const auto now = products.next;
    products.next = hn::Add(now, products.step);
    return now;
  } else {
    const hn::ScalableTag<T> d;
    const auto low = made<hwy::MakeWide<T>>(products), high = made<hwy::MakeWide<T>>(products);
    return hn::ConcatOdd(d, hn::BitCast(d, high), hn::BitCast(d, low));
  }
}

template <class T>
std::int64_t store(T* HWY_RESTRICT at, std::int64_t first, std::int64_t count) {
  const Words words;
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  HWY_ALIGN std::uint64_t start[hn::MaxLanes(words)];
  const auto in_word = static_cast<std::int64_t>(hn::Lanes(words));
  for (std::int64_t lane = 0; lane < in_word; ++lane) start[lane] = pattern<std::uint64_t>(first + lane);
  Products products{hn::Load(words, start), hn::Set(words, pattern<std::uint64_t>(in_word))};
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(made<T>(products), d, at + i);
  return i;
}
#endif

std::int64_t store_8(std::uint8_t* at, std::int64_t first, std::int64_t count) {
  return store(at, first, count);
}
std::int64_t store_16(std::uint16_t* at, std::int64_t first, std::int64_t count) {
  return store(at, first, count);
}
std::int64_t store_32(std::uint32_t* at, std::int64_t first, std::int64_t count) {
  return store(at, first, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::access
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::access {

HWY_EXPORT(store_8);
HWY_EXPORT(store_16);
HWY_EXPORT(store_32);

std::int64_t store_neighbours(std::uint8_t* at, std::int64_t first, std::int64_t count) {
  return HWY_DYNAMIC_DISPATCH(store_8)(at, first, count);
}
std::int64_t store_neighbours(std::uint16_t* at, std::int64_t first, std::int64_t count) {
  return HWY_DYNAMIC_DISPATCH(store_16)(at, first, count);
}
std::int64_t store_neighbours(std::uint32_t* at, std::int64_t first, std::int64_t count) {
  return HWY_DYNAMIC_DISPATCH(store_32)(at, first, count);
}

}  // namespace ridge::access
#endif
