// The STREAM family on the CPU: one loop for all that write, two for those that reduce, compiled for every instruction
// set that Highway knows and chosen at run time.
//
// The loop that writes works through the target in whole cache lines: elements before the first line and behind the
// last are done one by one. That costs nothing on long arrays and is what non-temporal stores need (a line that is not
// written whole goes to memory in pieces). Loads need no alignment.
#include "kernels/stream/stream.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/stream/stream_cpu.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
//
#include "kernels/stream/check.hpp"
#include "kernels/stream/tuning.hpp"

HWY_BEFORE_NAMESPACE();
namespace ridge::stream {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <Op op, class T>
HWY_INLINE T one(const Operands<T>& o, std::int64_t i) {
  if constexpr (op == Op::copy) return o.b[i];
  if constexpr (op == Op::scale) return o.q * o.b[i];
  if constexpr (op == Op::add) return o.b[i] + o.c[i];
  if constexpr (op == Op::triad) return o.b[i] + o.q * o.c[i];
  if constexpr (op == Op::write) return o.q;
}

template <Op op, class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> some(D d, const Operands<T>& o, hn::Vec<D> q, std::int64_t i) {
  if constexpr (op == Op::copy) return hn::LoadU(d, o.b + i);
  if constexpr (op == Op::scale) return hn::Mul(q, hn::LoadU(d, o.b + i));
  if constexpr (op == Op::add) return hn::Add(hn::LoadU(d, o.b + i), hn::LoadU(d, o.c + i));
  if constexpr (op == Op::triad) return hn::MulAdd(q, hn::LoadU(d, o.c + i), hn::LoadU(d, o.b + i));
  if constexpr (op == Op::write) return q;
}

template <Stores stores, class D, class T = hn::TFromD<D>>
HWY_INLINE void put(hn::Vec<D> value, D d, T* aligned) {
  if constexpr (stores == Stores::nontemporal) {
    hn::Stream(value, d, aligned);
  } else {
    hn::Store(value, d, aligned);
  }
}

// Four vectors: all loads before the first store, so that the stores of whole lines come together.
template <Op op, Stores stores, class D, class T = hn::TFromD<D>>
HWY_INLINE void four(D d, const Operands<T>& o, hn::Vec<D> q, std::int64_t i) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto v0 = some<op>(d, o, q, i);
  const auto v1 = some<op>(d, o, q, i + lanes);
  const auto v2 = some<op>(d, o, q, i + 2 * lanes);
  const auto v3 = some<op>(d, o, q, i + 3 * lanes);
  put<stores>(v0, d, o.a + i);
  put<stores>(v1, d, o.a + i + lanes);
  put<stores>(v2, d, o.a + i + 2 * lanes);
  put<stores>(v3, d, o.a + i + 3 * lanes);
}

// How many elements each of several walks through `count` elements covers, a multiple of `step`; 0 for short ranges.
template <class T>
HWY_INLINE std::int64_t quarter_of(std::int64_t count, std::int64_t step) {
  return long_range(count * static_cast<std::int64_t>(sizeof(T))) ? count / walks / step * step : 0;
}

template <Op op, Stores stores, class T>
Reduction map(const Operands<T>& operands, std::int64_t begin, std::int64_t end) {
  const Operands<T> o = operands;  // a copy, so that stores through o.a cannot seem to change it
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto q = hn::Set(d, o.q);
  const auto line = std::max<std::int64_t>(cache_line, lanes * static_cast<std::int64_t>(sizeof(T)));

  std::int64_t i = begin;
  const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(o.a + i)) % line;
  const std::int64_t first = std::min(end, i + (past == 0 ? 0 : (line - past) / static_cast<std::int64_t>(sizeof(T))));
  for (; i < first; ++i) o.a[i] = one<op>(o, i);
  if (const std::int64_t quarter = quarter_of<T>(end - i, 4 * lanes); quarter > 0) {
    for (const std::int64_t stop = i + quarter; i < stop; i += 4 * lanes)
      for (std::int64_t walk = 0; walk < walks; ++walk) four<op, stores>(d, o, q, i + walk * quarter);
    i += (walks - 1) * quarter;
  }
  for (; i + 4 * lanes <= end; i += 4 * lanes) four<op, stores>(d, o, q, i);
  for (; i + lanes <= end; i += lanes) put<Stores::ordinary>(some<op>(d, o, q, i), d, o.a + i);
  for (; i < end; ++i) o.a[i] = one<op>(o, i);
  if constexpr (stores == Stores::nontemporal) hwy::FlushStream();
  return {};
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> product(D d, const Operands<T>& o, std::int64_t i, hn::Vec<D> sum) {
  return hn::MulAdd(hn::LoadU(d, o.b + i), hn::LoadU(d, o.c + i), sum);
}

// At most dot_block elements, with eight independent sums (enough to hide the latency of an addition on every core
// there is), in four walks of `length` elements (a multiple of two vectors) that are `apart`.
template <class T>
double dot_of_walks(const Operands<T>& o, std::int64_t begin, std::int64_t apart, std::int64_t length) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (std::int64_t i = begin; i < begin + length; i += 2 * lanes) {
    s0 = product(d, o, i, s0);
    s1 = product(d, o, i + lanes, s1);
    s2 = product(d, o, i + apart, s2);
    s3 = product(d, o, i + apart + lanes, s3);
    s4 = product(d, o, i + 2 * apart, s4);
    s5 = product(d, o, i + 2 * apart + lanes, s5);
    s6 = product(d, o, i + 3 * apart, s6);
    s7 = product(d, o, i + 3 * apart + lanes, s7);
  }
  const auto sum = hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)));
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// At most dot_block elements, one behind the other: whole groups of eight vectors as four walks that follow each other
// closely, then what is left.
template <class T>
double dot_of_block(const Operands<T>& o, std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t quarter = (end - begin) / (8 * lanes) * (2 * lanes);
  const double whole = dot_of_walks(o, begin, quarter, quarter);
  std::int64_t i = begin + 4 * quarter;
  auto sum = hn::Zero(d);
  for (; i + lanes <= end; i += lanes) sum = product(d, o, i, sum);
  T rest = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < end; ++i) rest += o.b[i] * o.c[i];
  return whole + static_cast<double>(rest);
}

template <class T>
Reduction dot(const Operands<T>& o, std::int64_t begin, std::int64_t end) {
  static_assert(walks == 4, "dot_of_walks() is written out for four");
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>()));
  Reduction result;
  const std::int64_t quarter = quarter_of<T>(end - begin, 2 * lanes);
  for (std::int64_t done = 0; done < quarter; done += dot_block / walks)
    result.sum += dot_of_walks(o, begin + done, quarter, std::min(quarter - done, dot_block / walks));
  for (std::int64_t block = begin + walks * quarter; block < end; block += dot_block)
    result.sum += dot_of_block(o, block, std::min(end, block + dot_block));
  return result;
}

// Like dot, with words in place of numbers.
template <class T>
Reduction read(const Operands<T>& o, std::int64_t begin, std::int64_t end) {
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const hn::ScalableTag<Word> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto* words = reinterpret_cast<const Word*>(o.b);
  auto x0 = hn::Zero(d), x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0;
  std::int64_t i = begin;
  if (const std::int64_t quarter = quarter_of<T>(end - i, 4 * lanes); quarter > 0) {
    constexpr std::int64_t ahead = read_ahead / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t line = cache_line / static_cast<std::int64_t>(sizeof(T));
    for (const std::int64_t stop = i + quarter; i < stop; i += 4 * lanes)
      for (std::int64_t walk = 0; walk < walks; ++walk) {
        const Word* at = words + i + walk * quarter;
        for (std::int64_t next = 0; next < 4 * lanes; next += line) hwy::Prefetch(at + ahead + next);
        x0 = hn::Xor(x0, hn::LoadU(d, at));
        x1 = hn::Xor(x1, hn::LoadU(d, at + lanes));
        x2 = hn::Xor(x2, hn::LoadU(d, at + 2 * lanes));
        x3 = hn::Xor(x3, hn::LoadU(d, at + 3 * lanes));
      }
    i += (walks - 1) * quarter;
  }
  for (; i + 8 * lanes <= end; i += 8 * lanes) {
    x0 = hn::Xor(x0, hn::LoadU(d, words + i));
    x1 = hn::Xor(x1, hn::LoadU(d, words + i + lanes));
    x2 = hn::Xor(x2, hn::LoadU(d, words + i + 2 * lanes));
    x3 = hn::Xor(x3, hn::LoadU(d, words + i + 3 * lanes));
    x4 = hn::Xor(x4, hn::LoadU(d, words + i + 4 * lanes));
    x5 = hn::Xor(x5, hn::LoadU(d, words + i + 5 * lanes));
    x6 = hn::Xor(x6, hn::LoadU(d, words + i + 6 * lanes));
    x7 = hn::Xor(x7, hn::LoadU(d, words + i + 7 * lanes));
  }
  for (; i + lanes <= end; i += lanes) x0 = hn::Xor(x0, hn::LoadU(d, words + i));
  const auto all = hn::Xor(hn::Xor(hn::Xor(x0, x1), hn::Xor(x2, x3)), hn::Xor(hn::Xor(x4, x5), hn::Xor(x6, x7)));
  HWY_ALIGN Word parts[HWY_MAX_BYTES / sizeof(Word)];
  hn::Store(all, d, parts);
  Word bits = 0;
  for (std::int64_t lane = 0; lane < lanes; ++lane) bits ^= parts[lane];
  for (; i < end; ++i) bits ^= words[i];
  return {0, bits};
}

template <class T>
Reduction library_copy(const Operands<T>& o, std::int64_t begin, std::int64_t end) {
  std::memcpy(o.a + begin, o.b + begin, static_cast<std::size_t>(end - begin) * sizeof(T));
  return {};
}

template <class T, Stores stores>
Kernel<T> choose_map(Op op) {
  switch (op) {
    case Op::copy:
      return map<Op::copy, stores, T>;
    case Op::scale:
      return map<Op::scale, stores, T>;
    case Op::add:
      return map<Op::add, stores, T>;
    case Op::triad:
      return map<Op::triad, stores, T>;
    case Op::write:
      return map<Op::write, stores, T>;
    case Op::dot:
      return dot<T>;
    case Op::read:
      return read<T>;
    case Op::memcpy:
      break;
  }
  return library_copy<T>;
}

Kernel<float> choose_f32(Op op, Stores stores) {
  return stores == Stores::ordinary ? choose_map<float, Stores::ordinary>(op)
                                    : choose_map<float, Stores::nontemporal>(op);
}

Kernel<double> choose_f64(Op op, Stores stores) {
  return stores == Stores::ordinary ? choose_map<double, Stores::ordinary>(op)
                                    : choose_map<double, Stores::nontemporal>(op);
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::stream
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::stream {

HWY_EXPORT(choose_f32);
HWY_EXPORT(choose_f64);

template <>
Kernel<float> cpu_kernel<float>(Op op, Stores stores) {
  return HWY_DYNAMIC_DISPATCH(choose_f32)(op, stores);
}

template <>
Kernel<double> cpu_kernel<double>(Op op, Stores stores) {
  return HWY_DYNAMIC_DISPATCH(choose_f64)(op, stores);
}

}  // namespace ridge::stream
#endif
