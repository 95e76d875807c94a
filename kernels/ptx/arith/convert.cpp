// Integer to integer, float to integer, integer to float, float to float: each rounded exactly once.
#include "kernels/ptx/arith/convert.hpp"

#include <cmath>

#include "kernels/ptx/arith/directed64.hpp"
#include "kernels/ptx/arith/round32.hpp"
#include "kernels/ptx/arith/small_float.hpp"

namespace ridge::ptx {
namespace {

double integral(double v, Rounding r) {
  switch (r) {
    case Rounding::zero:
      return std::trunc(v);
    case Rounding::down:
      return std::floor(v);
    case Rounding::up:
      return std::ceil(v);
    default:
      return std::nearbyint(v);
  }
}

s64 sign_extended(u64 v, unsigned width) {
  return static_cast<s64>(v << (64 - width)) >> (64 - width);
}
u64 low_bits(u64 v, unsigned width) {
  return width == 64 ? v : v & ((u64{1} << width) - 1);
}

u64 integer_to_integer(u64 in, const Conversion& c) {
  const unsigned from = bits_of(c.from), to = bits_of(c.to);
  const bool from_signed = is_signed(c.from);
  const bool negative = from_signed && sign_extended(in, from) < 0;
  u64 v = from_signed ? static_cast<u64>(sign_extended(in, from)) : low_bits(in, from);
  if (c.saturate) {
    const u64 largest = is_signed(c.to) ? low_bits(~u64{0}, to - 1) : low_bits(~u64{0}, to);
    if (negative) {
      const s64 smallest = is_signed(c.to) ? -static_cast<s64>(largest) - 1 : 0;
      if (static_cast<s64>(v) < smallest) v = static_cast<u64>(smallest);
    } else if (v > largest) {
      v = largest;
    }
  }
  return is_signed(c.to) ? static_cast<u64>(sign_extended(v, to)) : low_bits(v, to);
}

u64 float_to_integer(double v, const Conversion& c) {
  const unsigned to = bits_of(c.to);
  if (std::isnan(v)) return c.from == Type::f64 || to == 64 ? u64{1} << (to - 1) : 0;
  v = integral(v, c.rounding);
  if (is_signed(c.to)) {
    const double limit = std::ldexp(1.0, static_cast<int>(to) - 1);
    if (v >= limit) return (u64{1} << (to - 1)) - 1;
    if (v < -limit) return ~u64{0} << (to - 1);
    return static_cast<u64>(static_cast<s64>(v));
  }
  if (v <= 0) return 0;
  if (v >= std::ldexp(1.0, static_cast<int>(to))) return low_bits(~u64{0}, to);
  return static_cast<u64>(v);
}

u64 integer_to_float(u64 in, const Conversion& c) {
  const unsigned from = bits_of(c.from);
  const bool from_signed = is_signed(c.from);
  const s64 v = from_signed ? sign_extended(in, from) : 0;
  const bool negative = v < 0;
  const u64 magnitude = from_signed ? (negative ? 0 - static_cast<u64>(v) : static_cast<u64>(v)) : low_bits(in, from);
  if (c.to == Type::f32) {
    float f = float_of(magnitude, negative, c.rounding);
    if (c.saturate) f = f > 0 ? (f < 1 ? f : 1.0f) : 0.0f;
    return bits(f);
  }
  if (c.to == Type::f64) {
    double lane[32] = {as_double(from_signed ? static_cast<u64>(v) : magnitude)}, out[32] = {};
    directed64(from_signed ? Operation64::from_s64 : Operation64::from_u64, c.rounding, 1, out, lane, nullptr, nullptr);
    return bits(out[0]);
  }
  // Small formats: bits that a double could not hold are kept as one sticky bit far below the last place.
  const bool wide = magnitude >> 53 != 0;
  const u64 sticky = wide && (magnitude & 0xfff) ? 0x1000 : 0;
  const double exact = static_cast<double>(wide ? (magnitude & ~u64{0xfff}) | sticky : magnitude);
  return bits_from(negative ? -exact : exact, c.to, c.rounding, c.finite);
}

float directed_narrow(double v, Rounding r) {
  switch (r) {
    case Rounding::zero:
      return narrow<Rounding::zero>(v);
    case Rounding::down:
      return narrow<Rounding::down>(v);
    case Rounding::up:
      return narrow<Rounding::up>(v);
    default:
      return static_cast<float>(v);
  }
}

u64 float_to_float(double v, const Conversion& c) {
  if (c.to_integer && std::isfinite(v)) v = std::copysign(integral(v, c.rounding), v);
  if (c.saturate) v = v > 0 ? (v < 1 ? v : 1.0) : 0.0;
  if (c.relu) v = v < 0 ? 0.0 : v;
  if (c.to == Type::f64) return bits(v);
  const Rounding rounding = c.to_integer ? Rounding::nearest : c.rounding;
  if (c.to == Type::f32) {
    const float f = directed_narrow(v, rounding);
    return std::isnan(v) ? 0x7fffffffu : bits(c.flush ? flushed(f) : f);
  }
  return bits_from(v, c.to, rounding, c.finite);
}

}  // namespace

double value_of(u64 b, Type type) {
  switch (type) {
    case Type::f16:
      return decode(static_cast<u32>(b) & 0xffff, format_f16);
    case Type::bf16:
      return decode(static_cast<u32>(b) & 0xffff, format_bf16);
    case Type::e4m3:
      return decode(static_cast<u32>(b) & 0xff, format_e4m3);
    case Type::e5m2:
      return decode(static_cast<u32>(b) & 0xff, format_e5m2);
    case Type::tf32:
      return as_float(static_cast<u32>(b) & 0xffffe000u);
    case Type::f32:
      return as_float(static_cast<u32>(b));
    default:
      return as_double(b);
  }
}

u64 bits_from(double v, Type type, Rounding rounding, bool finite) {
  switch (type) {
    case Type::f16:
      return encode(v, format_f16, rounding_of(rounding), finite);
    case Type::bf16:
      return encode(v, format_bf16, rounding_of(rounding), finite);
    case Type::e4m3:
      return encode(v, format_e4m3, rounding_of(rounding), finite);
    case Type::e5m2:
      return encode(v, format_e5m2, rounding_of(rounding), finite);
    case Type::tf32:
      return std::isnan(v) ? 0x7fffffffu
                           : static_cast<u64>(encode(v, format_tf32, rounding_of(rounding), finite)) << 13;
    case Type::f32:
      return bits(directed_narrow(v, rounding));
    default:
      return bits(v);
  }
}

u64 convert(u64 in, const Conversion& c) {
  if (!is_float(c.from)) return is_float(c.to) ? integer_to_float(in, c) : integer_to_integer(in, c);
  double v = value_of(in, c.from);
  if (c.flush && c.from == Type::f32) v = flushed(static_cast<float>(v));
  return is_float(c.to) ? float_to_float(v, c) : float_to_integer(v, c);
}

}  // namespace ridge::ptx
