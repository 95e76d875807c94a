// The chain by SIMD: twelve vectors at a time, which keep two multiply-add units of latency four to six busy and leave
// registers for the two constants where there are sixteen. Long ranges are walked at four places, as in kernels/stream.
#include "kernels/roofline/chain.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/roofline/chain_cpu.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ridge::roofline {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t walks = 4;
constexpr std::int64_t long_range = std::int64_t{1} << 20;  // bytes

template <class T>
T one(T x, std::int64_t operations) {
  if (operations <= 1) return factor<T> * x;
  for (std::int64_t s = 0; s < operations / 2; ++s) x = factor<T> * x + summand<T>;
  return x;
}

template <Stores stores, class D, class T = hn::TFromD<D>>
HWY_INLINE void put(hn::Vec<D> value, D d, T* at) {
  if constexpr (stores == Stores::nontemporal) {
    hn::Stream(value, d, at);
  } else {
    hn::StoreU(value, d, at);
  }
}

// Twelve vectors from `i` on. `out + i` is aligned to a vector where the stores are non-temporal.
template <Stores stores, bool single, class D, class T = hn::TFromD<D>>
HWY_INLINE void twelve(D d, T* HWY_RESTRICT out, const T* HWY_RESTRICT in, std::int64_t steps, hn::Vec<D> m,
                       hn::Vec<D> c, std::int64_t i) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto v0 = hn::LoadU(d, in + i), v1 = hn::LoadU(d, in + i + lanes);
  auto v2 = hn::LoadU(d, in + i + 2 * lanes), v3 = hn::LoadU(d, in + i + 3 * lanes);
  auto v4 = hn::LoadU(d, in + i + 4 * lanes), v5 = hn::LoadU(d, in + i + 5 * lanes);
  auto v6 = hn::LoadU(d, in + i + 6 * lanes), v7 = hn::LoadU(d, in + i + 7 * lanes);
  auto v8 = hn::LoadU(d, in + i + 8 * lanes), v9 = hn::LoadU(d, in + i + 9 * lanes);
  auto v10 = hn::LoadU(d, in + i + 10 * lanes), v11 = hn::LoadU(d, in + i + 11 * lanes);
  const auto step = [&](auto& v) {
    if constexpr (single) {
      v = hn::Mul(m, v);
    } else {
      v = hn::MulAdd(m, v, c);
    }
  };
  for (std::int64_t s = 0; s < steps; ++s) {
    step(v0), step(v1), step(v2), step(v3), step(v4), step(v5);
    step(v6), step(v7), step(v8), step(v9), step(v10), step(v11);
  }
  put<stores>(v0, d, out + i), put<stores>(v1, d, out + i + lanes);
  put<stores>(v2, d, out + i + 2 * lanes), put<stores>(v3, d, out + i + 3 * lanes);
  put<stores>(v4, d, out + i + 4 * lanes), put<stores>(v5, d, out + i + 5 * lanes);
  put<stores>(v6, d, out + i + 6 * lanes), put<stores>(v7, d, out + i + 7 * lanes);
  put<stores>(v8, d, out + i + 8 * lanes), put<stores>(v9, d, out + i + 9 * lanes);
  put<stores>(v10, d, out + i + 10 * lanes), put<stores>(v11, d, out + i + 11 * lanes);
}

// A block is so many operations that no processor sees the loads of the next one coming.
template <class T>
HWY_INLINE void prefetch(const T* at, std::int64_t elements) {
  for (std::int64_t i = 0; i < elements; i += 64 / static_cast<std::int64_t>(sizeof(T))) hwy::Prefetch(at + i);
}

// Elements before the first whole cache line of the target.
template <class T>
HWY_INLINE std::int64_t before_line(const T* at) {
  constexpr std::uintptr_t line = std::max<std::uintptr_t>(64, HWY_MAX_BYTES);
  const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(at) % line;
  return past == 0 ? 0 : static_cast<std::int64_t>((line - past) / sizeof(T));
}

template <Stores stores, bool single, class T>
void chain_of(const Chain<T>& chain, std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<T> d;
  T* HWY_RESTRICT const out = chain.out;
  const T* HWY_RESTRICT const in = chain.in;
  const std::int64_t operations = chain.operations;
  const std::int64_t steps = std::max<std::int64_t>(1, operations / 2);
  const auto m = hn::Set(d, factor<T>);
  const auto c = hn::Set(d, summand<T>);
  const std::int64_t block = 12 * static_cast<std::int64_t>(hn::Lanes(d));

  std::int64_t i = begin;
  for (const std::int64_t first = std::min(end, i + before_line(out + i)); i < first; ++i)
    out[i] = one(in[i], operations);
  if ((end - i) * static_cast<std::int64_t>(sizeof(T)) >= long_range) {
    const std::int64_t quarter = (end - i) / walks / block * block;
    for (const std::int64_t stop = i + quarter; i < stop; i += block)
      for (std::int64_t walk = 0; walk < walks; ++walk) {
        prefetch(in + i + walk * quarter + block, block);
        twelve<stores, single>(d, out, in, steps, m, c, i + walk * quarter);
      }
    i += (walks - 1) * quarter;
  }
  for (; i + block <= end; i += block) twelve<stores, single>(d, out, in, steps, m, c, i);
  for (; i < end; ++i) out[i] = one(in[i], operations);
  if constexpr (stores == Stores::nontemporal) hwy::FlushStream();
}

template <Stores stores, class T>
void chain(const Chain<T>& operands, std::int64_t begin, std::int64_t end) {
  if (operands.operations <= 1) {
    chain_of<stores, true>(operands, begin, end);
  } else {
    chain_of<stores, false>(operands, begin, end);
  }
}

ChainKernel<float> chain_f32(Stores stores) {
  return stores == Stores::ordinary ? chain<Stores::ordinary, float> : chain<Stores::nontemporal, float>;
}
ChainKernel<double> chain_f64(Stores stores) {
  return stores == Stores::ordinary ? chain<Stores::ordinary, double> : chain<Stores::nontemporal, double>;
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::roofline
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::roofline {

HWY_EXPORT(chain_f32);
HWY_EXPORT(chain_f64);

template <>
ChainKernel<float> chain_kernel<float>(Stores stores) {
  return HWY_DYNAMIC_DISPATCH(chain_f32)(stores);
}
template <>
ChainKernel<double> chain_kernel<double>(Stores stores) {
  return HWY_DYNAMIC_DISPATCH(chain_f64)(stores);
}

}  // namespace ridge::roofline
#endif
