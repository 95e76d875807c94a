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
  for (; i + 4 * lanes <= end; i += 4 * lanes) {
    const auto v0 = some<op>(d, o, q, i);
    const auto v1 = some<op>(d, o, q, i + lanes);
    const auto v2 = some<op>(d, o, q, i + 2 * lanes);
    const auto v3 = some<op>(d, o, q, i + 3 * lanes);
    put<stores>(v0, d, o.a + i);
    put<stores>(v1, d, o.a + i + lanes);
    put<stores>(v2, d, o.a + i + 2 * lanes);
    put<stores>(v3, d, o.a + i + 3 * lanes);
  }
  for (; i + lanes <= end; i += lanes) put<Stores::ordinary>(some<op>(d, o, q, i), d, o.a + i);
  for (; i < end; ++i) o.a[i] = one<op>(o, i);
  if constexpr (stores == Stores::nontemporal) hwy::FlushStream();
  return {};
}

// At most dot_block elements, eight independent sums: enough to hide the latency of an addition on every core there is.
template <class T>
double dot_of_block(const Operands<T>& o, std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  std::int64_t i = begin;
  const auto product = [&](std::int64_t at, auto sum)
                           HWY_ATTR { return hn::MulAdd(hn::LoadU(d, o.b + at), hn::LoadU(d, o.c + at), sum); };
  for (; i + 8 * lanes <= end; i += 8 * lanes) {
    s0 = product(i, s0);
    s1 = product(i + lanes, s1);
    s2 = product(i + 2 * lanes, s2);
    s3 = product(i + 3 * lanes, s3);
    s4 = product(i + 4 * lanes, s4);
    s5 = product(i + 5 * lanes, s5);
    s6 = product(i + 6 * lanes, s6);
    s7 = product(i + 7 * lanes, s7);
  }
  for (; i + lanes <= end; i += lanes) s0 = product(i, s0);
  const auto sum = hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)));
  T total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < end; ++i) total += o.b[i] * o.c[i];
  return total;
}

template <class T>
Reduction dot(const Operands<T>& o, std::int64_t begin, std::int64_t end) {
  Reduction result;
  for (std::int64_t block = begin; block < end; block += dot_block)
    result.sum += dot_of_block(o, block, std::min(end, block + dot_block));
  return result;
}

// The bits of a whole number of vectors, read in `streams` runs side by side: each run has its own place in memory, and
// the hardware prefetchers follow all of them.
template <class T>
Reduction read(const Operands<T>& o, std::int64_t begin, std::int64_t end) {
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const hn::ScalableTag<Word> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto* words = reinterpret_cast<const Word*>(o.b);
  auto x0 = hn::Zero(d), x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0;
  std::int64_t i = begin;
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
