// Comparisons into predicates and registers, and selection by predicate.
#include "kernels/ptx/lanes/lanes.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {
namespace {

template <Compare C, class T>
RIDGE_PTX_INLINE bool holds(T a, T b) {
  if constexpr (C == Compare::eq) return a == b;
  if constexpr (C == Compare::ne) return (a < b) | (a > b);
  if constexpr (C == Compare::lt) return a < b;
  if constexpr (C == Compare::le) return a <= b;
  if constexpr (C == Compare::gt) return a > b;
  if constexpr (C == Compare::ge) return a >= b;
  if constexpr (C == Compare::equ) return !((a < b) | (a > b));
  if constexpr (C == Compare::neu) return a != b;
  if constexpr (C == Compare::ltu) return !(a >= b);
  if constexpr (C == Compare::leu) return !(a > b);
  if constexpr (C == Compare::gtu) return !(a <= b);
  if constexpr (C == Compare::geu) return !(a < b);
  if constexpr (C == Compare::num) return (a == a) & (b == b);
  return (a != a) | (b != b);
}

template <class T>
struct Plain {
  using type = T;
  static RIDGE_PTX_INLINE T of(T x) { return x; }
};
template <class H>
struct Half {
  using type = H;
  static RIDGE_PTX_INLINE float of(H x) { return to_float(x); }
};
struct Flushed {
  using type = float;
  static RIDGE_PTX_INLINE float of(float x) { return flushed(x); }
};

template <Compare C, class View>
RIDGE_PTX_INLINE u32 compared(Warp& w, const Op& op) {
  using T = typename View::type;
  const T *a = lanes_of<T>(w, op.a), *b = lanes_of<T>(w, op.b);
  return gather_bits([=](int i) __attribute__((always_inline)) { return holds<C>(View::of(a[i]), View::of(b[i])); });
}

RIDGE_PTX_INLINE u32 combine(Warp& w, const CompareExtra& x, u32 value) {
  if (x.combination == 0) return value;
  const u32 other = *reg<u32>(w, static_cast<u32>(x.combined)) ^ (x.combined_inverted ? ~0u : 0u);
  return x.combination == 1 ? value & other : x.combination == 2 ? value | other : value ^ other;
}

RIDGE_PTX_INLINE void set_predicate(Warp& w, u32 offset, u32 value, u32 lanes) {
  u32& p = *reg<u32>(w, offset);
  p = (p & ~lanes) | (value & lanes);
}

template <Compare C, class View>
void run_setp(Warp& w, const Op& op, u32 lanes) {
  const u32 value = compared<C, View>(w, op);
  if (!op.extra) return set_predicate(w, op.dst, value, lanes);
  const auto& x = static_cast<const CompareExtra&>(*op.extra);
  const u32 first = combine(w, x, value), second = combine(w, x, ~value);
  set_predicate(w, op.dst, first, lanes);
  if (x.second != no_register) set_predicate(w, static_cast<u32>(x.second), second, lanes);
}

template <class H, Compare C>
void run_setp_pair(Warp& w, const Op& op, u32 lanes) {
  const pair<H>*a = lanes_of<pair<H>>(w, op.a), *b = lanes_of<pair<H>>(w, op.b);
  const u32 lo =
      gather_bits([=](int i) __attribute__((always_inline)) { return holds<C>(to_float(a[i].lo), to_float(b[i].lo)); });
  const u32 hi =
      gather_bits([=](int i) __attribute__((always_inline)) { return holds<C>(to_float(a[i].hi), to_float(b[i].hi)); });
  set_predicate(w, op.dst, lo, lanes);
  const auto* x = static_cast<const CompareExtra*>(op.extra);
  if (x && x->second != no_register) set_predicate(w, static_cast<u32>(x->second), hi, lanes);
}

template <Compare C, class View>
void run_set(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const CompareExtra&>(*op.extra);
  const u32 value = combine(w, x, compared<C, View>(w, op));
  if (bits_of(x.result) == 16) {
    const u16 yes = x.result == Type::f16 ? 0x3c00 : x.result == Type::bf16 ? 0x3f80 : 0xffff;
    put(lanes_of<u16>(w, op.dst), lanes, [=](int i) { return value & lane_bit[i] ? yes : u16{0}; });
  } else {
    const u32 yes = x.result == Type::f32 ? bits(1.0f) : ~0u;
    put(lanes_of<u32>(w, op.dst), lanes, [=](int i) { return value & lane_bit[i] ? yes : 0u; });
  }
}

template <class H, Compare C>
void run_set_pair(Warp& w, const Op& op, u32 lanes) {
  const auto& x = static_cast<const CompareExtra&>(*op.extra);
  const u32 yes = x.result == Type::f16x2 ? 0x3c00 : x.result == Type::bf16x2 ? 0x3f80 : 0xffff;
  const pair<H>*a = lanes_of<pair<H>>(w, op.a), *b = lanes_of<pair<H>>(w, op.b);
  put(lanes_of<u32>(w, op.dst), lanes, [=](int i) {
    return (holds<C>(to_float(a[i].lo), to_float(b[i].lo)) ? yes : 0u) |
           (holds<C>(to_float(a[i].hi), to_float(b[i].hi)) ? yes << 16 : 0u);
  });
}

struct Setp {
  template <Compare C, class View>
  static Handler get() {
    return run_setp<C, View>;
  }
};
struct Set {
  template <Compare C, class View>
  static Handler get() {
    return run_set<C, View>;
  }
};

template <class Make, class View>
Handler ordered(Compare c) {
  switch (c) {
    case Compare::eq:
      return Make::template get<Compare::eq, View>();
    case Compare::ne:
      return Make::template get<Compare::ne, View>();
    case Compare::lt:
      return Make::template get<Compare::lt, View>();
    case Compare::le:
      return Make::template get<Compare::le, View>();
    case Compare::gt:
      return Make::template get<Compare::gt, View>();
    case Compare::ge:
      return Make::template get<Compare::ge, View>();
    default:
      return nullptr;
  }
}
template <class Make, class View>
Handler floating(Compare c) {
  switch (c) {
    case Compare::equ:
      return Make::template get<Compare::equ, View>();
    case Compare::neu:
      return Make::template get<Compare::neu, View>();
    case Compare::ltu:
      return Make::template get<Compare::ltu, View>();
    case Compare::leu:
      return Make::template get<Compare::leu, View>();
    case Compare::gtu:
      return Make::template get<Compare::gtu, View>();
    case Compare::geu:
      return Make::template get<Compare::geu, View>();
    case Compare::num:
      return Make::template get<Compare::num, View>();
    case Compare::nan:
      return Make::template get<Compare::nan, View>();
    default:
      return ordered<Make, View>(c);
  }
}

template <class H, class Result>
Handler pairs(Compare c, Result result) {
  switch (c) {
    case Compare::eq:
      return result.template operator()<Compare::eq>();
    case Compare::ne:
      return result.template operator()<Compare::ne>();
    case Compare::lt:
      return result.template operator()<Compare::lt>();
    case Compare::le:
      return result.template operator()<Compare::le>();
    case Compare::gt:
      return result.template operator()<Compare::gt>();
    case Compare::ge:
      return result.template operator()<Compare::ge>();
    case Compare::equ:
      return result.template operator()<Compare::equ>();
    case Compare::neu:
      return result.template operator()<Compare::neu>();
    case Compare::ltu:
      return result.template operator()<Compare::ltu>();
    case Compare::leu:
      return result.template operator()<Compare::leu>();
    case Compare::gtu:
      return result.template operator()<Compare::gtu>();
    case Compare::geu:
      return result.template operator()<Compare::geu>();
    case Compare::num:
      return result.template operator()<Compare::num>();
    default:
      return result.template operator()<Compare::nan>();
  }
}

template <class Make>
Handler scalar(Compare c, Type t) {
  switch (t) {
    case Type::b16:
    case Type::u16:
      return ordered<Make, Plain<u16>>(c);
    case Type::s16:
      return ordered<Make, Plain<s16>>(c);
    case Type::b32:
    case Type::u32:
      return ordered<Make, Plain<u32>>(c);
    case Type::s32:
      return ordered<Make, Plain<s32>>(c);
    case Type::b64:
    case Type::u64:
      return ordered<Make, Plain<u64>>(c);
    case Type::s64:
      return ordered<Make, Plain<s64>>(c);
    case Type::f32:
      return floating<Make, Plain<float>>(c);
    case Type::tf32:
      return floating<Make, Flushed>(c);  // stands for f32 with .ftz
    case Type::f64:
      return floating<Make, Plain<double>>(c);
    case Type::f16:
      return floating<Make, Half<f16>>(c);
    case Type::bf16:
      return floating<Make, Half<bf16>>(c);
    default:
      return nullptr;
  }
}

template <class T>
void run_select(Warp& w, const Op& op, u32 lanes) {  // c: predicate, k: inverted
  const T *a = lanes_of<T>(w, op.a), *b = lanes_of<T>(w, op.b);
  const u32 p = *reg<u32>(w, op.c) ^ (op.k ? ~0u : 0u);
  put(
      lanes_of<T>(w, op.dst),
      lanes, [=](int i) __attribute__((always_inline)) { return p & lane_bit[i] ? a[i] : b[i]; });
}

}  // namespace

Handler compare_setp(Compare c, Type t) {
  if (t == Type::f16x2) return pairs<f16>(c, []<Compare C>() -> Handler { return run_setp_pair<f16, C>; });
  if (t == Type::bf16x2) return pairs<bf16>(c, []<Compare C>() -> Handler { return run_setp_pair<bf16, C>; });
  return scalar<Setp>(c, t);
}

Handler compare_set(Compare c, Type t) {
  if (t == Type::f16x2) return pairs<f16>(c, []<Compare C>() -> Handler { return run_set_pair<f16, C>; });
  if (t == Type::bf16x2) return pairs<bf16>(c, []<Compare C>() -> Handler { return run_set_pair<bf16, C>; });
  return scalar<Set>(c, t);
}

Handler select_of(unsigned bytes) {
  return bytes == 2 ? run_select<u16> : bytes == 4 ? run_select<u32> : bytes == 8 ? run_select<u64> : nullptr;
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
