// Joining by SIMD: four vectors at a time stay in registers from the first source to the last target.
#include "kernels/reduce/combine.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/reduce/combine_cpu.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ridge::reduce {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <Op op, class V>
HWY_INLINE V join(V a, V b) {
  if constexpr (op == Op::sum) return hn::Add(a, b);
  if constexpr (op == Op::max) return hn::Max(a, b);
  if constexpr (op == Op::min) return hn::Min(a, b);
}

template <Op op, class T>
HWY_INLINE T join_one(T a, T b) {
  // Integers wrap as vectors do.
  if constexpr (op == Op::sum && std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  if constexpr (op == Op::sum) return static_cast<T>(a + b);
  if constexpr (op == Op::max) return std::max(a, b);
  if constexpr (op == Op::min) return std::min(a, b);
}

template <Op op, class T>
HWY_INLINE void one(std::span<const void* const> sources, std::span<void* const> targets, std::int64_t i) {
  T value = static_cast<const T*>(sources[0])[i];
  for (std::size_t s = 1; s < sources.size(); ++s) value = join_one<op>(value, static_cast<const T*>(sources[s])[i]);
  for (void* const target : targets) static_cast<T*>(target)[i] = value;
}

// Elements [i, end), as long as four vectors are left; every target's element i at a vector's boundary if they are
// written past the caches. Where it stopped.
template <Op op, class T, bool past_caches>
std::int64_t fours(std::span<const void* const> sources, std::span<void* const> targets, std::int64_t i,
                   std::int64_t end) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (; i + 4 * lanes <= end; i += 4 * lanes) {
    const T* const first = static_cast<const T*>(sources[0]) + i;
    auto v0 = hn::LoadU(d, first);
    auto v1 = hn::LoadU(d, first + lanes);
    auto v2 = hn::LoadU(d, first + 2 * lanes);
    auto v3 = hn::LoadU(d, first + 3 * lanes);
    for (std::size_t s = 1; s < sources.size(); ++s) {
      const T* const next = static_cast<const T*>(sources[s]) + i;
      v0 = join<op>(v0, hn::LoadU(d, next));
      v1 = join<op>(v1, hn::LoadU(d, next + lanes));
      v2 = join<op>(v2, hn::LoadU(d, next + 2 * lanes));
      v3 = join<op>(v3, hn::LoadU(d, next + 3 * lanes));
    }
    for (void* const target : targets) {
      T* const to = static_cast<T*>(target) + i;
      if constexpr (past_caches) {
        hn::Stream(v0, d, to);
        hn::Stream(v1, d, to + lanes);
        hn::Stream(v2, d, to + 2 * lanes);
        hn::Stream(v3, d, to + 3 * lanes);
      } else {
        hn::StoreU(v0, d, to);
        hn::StoreU(v1, d, to + lanes);
        hn::StoreU(v2, d, to + 2 * lanes);
        hn::StoreU(v3, d, to + 3 * lanes);
      }
    }
  }
  return i;
}

// The first element from `begin` on at which all targets are at a boundary of `bytes`; -1 where they never are
// together.
template <class T>
std::int64_t common_boundary(std::span<void* const> targets, std::int64_t begin, std::int64_t bytes) {
  const auto past = [&](const void* target) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(static_cast<const T*>(target) + begin)) % bytes;
  };
  const std::int64_t first = past(targets[0]);
  for (const void* const target : targets)
    if (past(target) != first) return -1;
  if (first % static_cast<std::int64_t>(sizeof(T)) != 0) return -1;
  return begin + (bytes - first) % bytes / static_cast<std::int64_t>(sizeof(T));
}

template <Op op, class T>
void join_all(const Rule& rule, std::span<const void* const> sources, std::span<void* const> targets,
              std::int64_t begin, std::int64_t end) {
  std::int64_t i = begin;
  const std::int64_t aligned = rule.past_caches ? common_boundary<T>(targets, begin, 64) : -1;
  if (aligned >= 0) {
    for (const std::int64_t stop = std::min(aligned, end); i < stop; ++i) one<op, T>(sources, targets, i);
    i = fours<op, T, true>(sources, targets, i, end);
    hwy::FlushStream();
  } else {
    i = fours<op, T, false>(sources, targets, i, end);
  }
  for (; i < end; ++i) one<op, T>(sources, targets, i);
}

// Sixteen-bit floating formats as vectors of f32: how codes become values and values codes.
struct Half {
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const void* from) {
    const hn::Rebind<hwy::float16_t, D> narrow;
    return hn::PromoteTo(d, hn::LoadU(narrow, static_cast<const hwy::float16_t*>(from)));
  }
  template <class D>
  static HWY_INLINE void store(D d, hn::Vec<D> value, void* to) {
    const hn::Rebind<hwy::float16_t, D> narrow;
    static_cast<void>(d);
    hn::StoreU(hn::DemoteTo(narrow, value), narrow, static_cast<hwy::float16_t*>(to));
  }
};

// The upper half of an f32. Written out here: Highway 1.0's own DemoteTo cuts instead of rounding.
struct Brain {
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const void* from) {
    const hn::Rebind<std::uint16_t, D> narrow;
    const hn::RebindToUnsigned<D> wide;
    const auto codes = hn::PromoteTo(wide, hn::LoadU(narrow, static_cast<const std::uint16_t*>(from)));
    return hn::BitCast(d, hn::ShiftLeft<16>(codes));
  }
  template <class D>
  static HWY_INLINE void store(D d, hn::Vec<D> value, void* to) {
    const hn::Rebind<std::uint16_t, D> narrow;
    const hn::RebindToUnsigned<D> wide;
    const hn::RebindToSigned<D> integer;
    const auto bits = hn::BitCast(wide, value);
    const auto even = hn::And(hn::ShiftRight<16>(bits), hn::Set(wide, 1));
    const auto near = hn::ShiftRight<16>(hn::Add(bits, hn::Add(even, hn::Set(wide, 0x7FFF))));
    const auto nan = hn::Or(hn::ShiftRight<16>(bits), hn::Set(wide, 0x40));  // rounding could turn one into a number
    const auto codes = hn::IfThenElse(hn::RebindMask(wide, hn::IsNaN(value)), nan, near);
    hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(integer, codes)), narrow, static_cast<std::uint16_t*>(to));
    static_cast<void>(d);
  }
};

// Elements [begin, end), a vector of f32 at a time; the rest through a buffer of one vector.
template <Op op, class Format>
void join_narrow(std::span<const void* const> sources, std::span<void* const> targets, std::int64_t begin,
                 std::int64_t end) {
  constexpr std::size_t bytes = 2;
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto from = [](const void* array, std::int64_t i) { return static_cast<const std::byte*>(array) + 2 * i; };
  std::int64_t i = begin;
  for (; i + lanes <= end; i += lanes) {
    auto value = Format::load(d, from(sources[0], i));
    for (std::size_t s = 1; s < sources.size(); ++s) value = join<op>(value, Format::load(d, from(sources[s], i)));
    for (void* const target : targets) Format::store(d, value, static_cast<std::byte*>(target) + 2 * i);
  }
  if (i == end) return;
  const std::size_t rest = static_cast<std::size_t>(end - i) * bytes;
  HWY_ALIGN std::byte some[HWY_MAX_BYTES] = {};
  std::memcpy(some, from(sources[0], i), rest);
  auto value = Format::load(d, some);
  for (std::size_t s = 1; s < sources.size(); ++s) {
    std::memcpy(some, from(sources[s], i), rest);
    value = join<op>(value, Format::load(d, some));
  }
  Format::store(d, value, some);
  for (void* const target : targets) std::memcpy(static_cast<std::byte*>(target) + 2 * i, some, rest);
}

template <class Format>
void join_narrow_type(const Rule& rule, std::span<const void* const> sources, std::span<void* const> targets,
                      std::int64_t begin, std::int64_t end) {
  switch (rule.op) {
    case Op::sum:
      return join_narrow<Op::sum, Format>(sources, targets, begin, end);
    case Op::max:
      return join_narrow<Op::max, Format>(sources, targets, begin, end);
    case Op::min:
      return join_narrow<Op::min, Format>(sources, targets, begin, end);
  }
}

template <class T>
void join_type(const Rule& rule, std::span<const void* const> sources, std::span<void* const> targets,
               std::int64_t begin, std::int64_t end) {
  switch (rule.op) {
    case Op::sum:
      return join_all<Op::sum, T>(rule, sources, targets, begin, end);
    case Op::max:
      return join_all<Op::max, T>(rule, sources, targets, begin, end);
    case Op::min:
      return join_all<Op::min, T>(rule, sources, targets, begin, end);
  }
}

// Sixteen-bit elements by pairs, as 32-bit integers where all arrays start at a place for those.
inline void copy_codes(const Rule& rule, const void* source, std::span<void* const> targets, std::int64_t begin,
                       std::int64_t end) {
  const auto even = [](const void* array) {
    return reinterpret_cast<std::uintptr_t>(array) % alignof(std::int32_t) == 0;
  };
  if (rule.past_caches && begin % 2 == 0 && even(source) && std::all_of(targets.begin(), targets.end(), even)) {
    join_all<Op::max, std::int32_t>(rule, {&source, 1}, targets, begin / 2, end / 2);
    begin = end / 2 * 2;
  }
  for (void* const target : targets)
    if (target != source)
      std::memmove(static_cast<std::byte*>(target) + 2 * begin, static_cast<const std::byte*>(source) + 2 * begin,
                   2 * static_cast<std::size_t>(std::max(end - begin, std::int64_t{0})));
}

void join_by_rule(const Rule& rule, std::span<const void* const> sources, std::span<void* const> targets,
                  std::int64_t begin, std::int64_t end) {
  switch (rule.type) {
    case Type::f32:
      return join_type<float>(rule, sources, targets, begin, end);
    case Type::f64:
      return join_type<double>(rule, sources, targets, begin, end);
    case Type::i32:
      return join_type<std::int32_t>(rule, sources, targets, begin, end);
    case Type::f16:
    case Type::bf16:
      // One array is copied as it is, NaNs included.
      if (sources.size() == 1) return copy_codes(rule, sources[0], targets, begin, end);
      if (rule.type == Type::f16) return join_narrow_type<Half>(rule, sources, targets, begin, end);
      return join_narrow_type<Brain>(rule, sources, targets, begin, end);
    case Type::e4m3:
    case Type::e5m2:
      return;  // by join_eight_bit
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ridge::reduce
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/formats/formats.hpp"

namespace ridge::reduce {

HWY_EXPORT(join_by_rule);

namespace {

void join_eight_bit(const Rule& rule, std::span<const void* const> sources, std::span<void* const> targets,
                    std::int64_t begin, std::int64_t end) {
  const formats::Format format = rule.type == Type::e4m3 ? formats::e4m3 : formats::e5m2;
  const auto code = [](const void* array, std::int64_t i) { return static_cast<const std::uint8_t*>(array)[i]; };
  for (std::int64_t i = begin; i < end; ++i) {
    std::uint8_t joined = code(sources[0], i);  // one array is copied as it is, NaNs included
    if (sources.size() > 1) {
      auto value = static_cast<float>(formats::decode(joined, format));
      for (const void* const source : sources.subspan(1)) {
        const auto next = static_cast<float>(formats::decode(code(source, i), format));
        value = rule.op == Op::sum ? value + next : rule.op == Op::max ? std::max(value, next) : std::min(value, next);
      }
      joined = static_cast<std::uint8_t>(formats::encode(value, format));
    }
    for (void* const target : targets) static_cast<std::uint8_t*>(target)[i] = joined;
  }
}

}  // namespace

void combine(const Rule& rule, std::span<const void* const> sources, std::span<void* const> targets, std::int64_t begin,
             std::int64_t end) {
  if (sources.empty() || targets.empty() || begin >= end) return;
  if (is_eight_bit(rule.type)) return join_eight_bit(rule, sources, targets, begin, end);
  HWY_DYNAMIC_DISPATCH(join_by_rule)(rule, sources, targets, begin, end);
}

}  // namespace ridge::reduce
#endif
