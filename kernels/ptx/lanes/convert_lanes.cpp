// The conversions that kernels use all the time, and packing; the rest goes one value at a time.
#include "kernels/ptx/lanes/lanes.hpp"

namespace ridge::ptx::RIDGE_PTX_ISA {
namespace {

template <class D, class S>
void run_convert(Warp& w, const Op& op, u32 lanes) {
  const S* a = lanes_of<S>(w, op.a);
  put(
      lanes_of<D>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) { return static_cast<D>(a[i]); });
}
template <class H>
void run_widen(Warp& w, const Op& op, u32 lanes) {
  const H* a = lanes_of<H>(w, op.a);
  put(
      lanes_of<float>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) { return to_float(a[i]); });
}
template <class H>
void run_narrow(Warp& w, const Op& op, u32 lanes) {
  const float* a = lanes_of<float>(w, op.a);
  put(
      lanes_of<u16>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) { return from_float<H>(a[i]).v; });
}
template <class H>
void run_pair(Warp& w, const Op& op, u32 lanes) {  // the first operand goes into the upper half
  const float *a = lanes_of<float>(w, op.a), *b = lanes_of<float>(w, op.b);
  put(
      lanes_of<u32>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) {
        return static_cast<u32>(from_float<H>(a[i]).v) << 16 | from_float<H>(b[i]).v;
      });
}
void run_float_to_int(Warp& w, const Op& op, u32 lanes) {
  const float* a = lanes_of<float>(w, op.a);
  put(
      lanes_of<s32>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) {
        const float v = a[i];
        const float inside = v > -2147483648.0f ? (v < 2147483520.0f ? v : 2147483520.0f) : -2147483648.0f;
        const s32 r = static_cast<s32>(inside);
        return v != v ? 0 : v >= 2147483648.0f ? 0x7fffffff : r;
      });
}

template <class D>
Handler from_integer(Type from) {
  switch (from) {
    case Type::u16:
    case Type::b16:
      return run_convert<D, u16>;
    case Type::s16:
      return run_convert<D, s16>;
    case Type::u32:
    case Type::b32:
      return run_convert<D, u32>;
    case Type::s32:
      return run_convert<D, s32>;
    case Type::u64:
    case Type::b64:
      return run_convert<D, u64>;
    case Type::s64:
      return run_convert<D, s64>;
    default:
      return nullptr;
  }
}

template <class A, class B>
void run_pack(Warp& w, const Op& op, u32 lanes) {
  const A *a = lanes_of<A>(w, op.a), *b = lanes_of<A>(w, op.b);
  put(
      lanes_of<B>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) {
        return static_cast<B>(static_cast<B>(b[i]) << width<A> | a[i]);
      });
}
template <class A, class B>
void run_unpack(Warp& w, const Op& op, u32 lanes) {  // dst: low half, b: high half
  alignas(64) B whole[32];
  __builtin_memcpy(whole, lanes_of<B>(w, op.a), sizeof whole);
  const B* s = whole;
  put(
      lanes_of<A>(w, op.dst), lanes, [=](int i) __attribute__((always_inline)) { return static_cast<A>(s[i]); });
  put(
      lanes_of<A>(w, op.b),
      lanes, [=](int i) __attribute__((always_inline)) { return static_cast<A>(s[i] >> width<A>); });
}

}  // namespace

Handler convert_of(Type to, Type from) {
  if (from == Type::f32 && to == Type::f64) return run_convert<double, float>;
  if (from == Type::f64 && to == Type::f32) return run_convert<float, double>;
  if (from == Type::f16 && to == Type::f32) return run_widen<f16>;
  if (from == Type::bf16 && to == Type::f32) return run_widen<bf16>;
  if (from == Type::f32 && to == Type::f16) return run_narrow<f16>;
  if (from == Type::f32 && to == Type::bf16) return run_narrow<bf16>;
  if (from == Type::f32 && to == Type::s32) return run_float_to_int;
  if (is_float(from)) return nullptr;
  switch (to) {
    case Type::u16:
    case Type::b16:
    case Type::s16:
      return from_integer<u16>(from);
    case Type::u32:
    case Type::b32:
    case Type::s32:
      return from_integer<u32>(from);
    case Type::u64:
    case Type::b64:
    case Type::s64:
      return from_integer<u64>(from);
    case Type::f32:
      return bits_of(from) >= 32 ? from_integer<float>(from) : nullptr;
    case Type::f64:
      return bits_of(from) >= 32 ? from_integer<double>(from) : nullptr;
    default:
      return nullptr;
  }
}

Handler convert_pair_of(Type to) {
  return to == Type::f16x2 ? run_pair<f16> : to == Type::bf16x2 ? run_pair<bf16> : nullptr;
}

Handler pack_of(unsigned element_bytes) {
  return element_bytes == 2 ? run_pack<u16, u32> : element_bytes == 4 ? run_pack<u32, u64> : nullptr;
}

Handler unpack_of(unsigned element_bytes) {
  return element_bytes == 2 ? run_unpack<u16, u32> : element_bytes == 4 ? run_unpack<u32, u64> : nullptr;
}

}  // namespace ridge::ptx::RIDGE_PTX_ISA
