// add, sub, mul, mad, fma, sad, div, rem, min, max, neg, abs, copysign and the carry chains.
#include "kernels/ptx/engine/lowering.hpp"
#include "kernels/ptx/engine/run.hpp"

namespace ridge::ptx {
namespace {

using Context = Lowering::Context;

bool is_half(Type t) {
  return t == Type::f16 || t == Type::bf16 || t == Type::f16x2 || t == Type::bf16x2;
}

/// Rounding, .ftz, .sat and .relu of a floating operation.
struct FloatModes {
  Rounding rounding = Rounding::nearest;
  bool flush = false, saturate = false, relu = false;
};

FloatModes take_modes(Context& c) {
  FloatModes modes;
  modes.rounding = c.m.take_rounding().value_or(Rounding::nearest);
  modes.flush = c.m.take("ftz");
  modes.saturate = c.m.take("sat");
  modes.relu = c.m.take("relu");
  if (modes.rounding == Rounding::away) throw Unsupported("rounding .rna");
  return modes;
}

/// With .ftz on single precision, subnormal inputs become zeros in registers of their own before the operation.
u32 flushed_source(Context& c, const Operand& o, Type t, bool flush) {
  const u32 from = c.to.source(o, t);
  if (!flush || t != Type::f32) return from;
  const u32 to = c.to.new_register(4);
  Op& op = c.to.emit(c.to.handlers().unary(Unary::flush, t));
  op.dst = to;
  op.a = from;
  c.to.hide_rest();
  return to;
}

void finish_float(Context& c, const FloatModes& modes, Type t, u32 dst) {
  if (modes.flush && t == Type::f32) c.to.in_place(Unary::flush, t, dst);
  if (modes.saturate) c.to.in_place(Unary::saturate, t, dst);
  if (modes.relu) c.to.in_place(Unary::relu, t, dst);
}

void float_binary(Context& c, Binary b, Type t) {
  need(c, 3);
  const FloatModes modes = take_modes(c);
  const u32 dst = c.to.destination(c.o[0], t);
  c.to.site().kind = InstructionClass::floating;
  if (b != Binary::min && b != Binary::max && b != Binary::min_nan && b != Binary::max_nan) count_flops(c, t, 1);
  const u32 x = flushed_source(c, c.o[1], t, modes.flush), y = flushed_source(c, c.o[2], t, modes.flush);
  Op& op = c.to.emit(c.to.handlers().binary(b, t, is_half(t) ? Rounding::nearest : modes.rounding));
  op.dst = dst;
  op.a = x;
  op.b = y;
  finish_float(c, modes, t, dst);
}

void integer_binary(Context& c, Binary b, Type t, Type result) {
  need(c, 3);
  const u32 x = c.to.source(c.o[1], t), y = c.to.source(c.o[2], t), dst = c.to.destination(c.o[0], result);
  Op& op = c.to.emit(c.to.handlers().binary(b, t, Rounding::nearest));
  op.dst = dst;
  op.a = x;
  op.b = y;
  c.to.site().integer_operations = is_packed(t) ? 2 : 1;
}

Type wide_type(Type t) {
  switch (t) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      throw Unsupported("type of .wide");
  }
}

}  // namespace

FlopType flop_type(Type t) {
  switch (element_of(t)) {
    case Type::f16:
      return FlopType::f16;
    case Type::bf16:
      return FlopType::bf16;
    case Type::f64:
      return FlopType::f64;
    case Type::tf32:
      return FlopType::tf32;
    case Type::e4m3:
    case Type::e5m2:
      return FlopType::f8;
    case Type::f32:
      return FlopType::f32;
    default:
      return FlopType::integer;
  }
}

void count_flops(Context& c, Type t, u32 per_element) {
  c.to.site().flop_type = flop_type(t);
  c.to.site().flops = per_element * (is_packed(t) ? 2 : 1);
}

void lower_add(Context& c) {
  const Type t = c.m.type();
  const bool sub = c.in.opcode == "sub";
  if (is_float(t)) return float_binary(c, sub ? Binary::sub : Binary::add, t);
  if (c.m.take("cc")) return lower_carry(c);
  if (c.m.take("sat")) return integer_binary(c, sub ? Binary::sub_sat : Binary::add_sat, t, t);
  integer_binary(c, sub ? Binary::sub : Binary::add, t, t);
}

void lower_mul(Context& c) {
  const Type t = c.m.type();
  if (is_float(t)) return float_binary(c, Binary::mul, t);
  const bool wide_result = c.m.take("wide"), high = c.m.take("hi");
  c.m.take("lo");
  if (c.in.opcode == "mul24") {
    if (high) throw Unsupported("mul24.hi");
    return integer_binary(c, Binary::mul24, t, t);
  }
  integer_binary(c,
                 wide_result ? Binary::mul_wide
                 : high      ? Binary::mul_hi
                             : Binary::mul,
                 t, wide_result ? wide_type(t) : t);
}

void lower_mad(Context& c) {
  const Type t = c.m.type();
  need(c, 4);
  const bool fused = is_float(t);
  FloatModes modes;
  Ternary o = Ternary::fma;
  Type last = t;
  if (fused) {
    if (c.in.opcode == "sad") throw Unsupported("type");
    modes = take_modes(c);
    c.to.site().kind = InstructionClass::floating;
    count_flops(c, t, 2);
  } else {
    if (c.m.take("cc")) return lower_carry(c);
    const bool wide_result = c.m.take("wide"), high = c.m.take("hi");
    c.m.take("lo");
    if (c.in.opcode == "fma" || (c.in.opcode == "mad24" && high)) throw Unsupported("type or .hi");
    o = c.in.opcode == "sad"     ? Ternary::sad
        : c.in.opcode == "mad24" ? Ternary::mad24
        : wide_result            ? Ternary::mad_wide
        : high                   ? Ternary::mad_hi
                                 : Ternary::mad;
    if (wide_result) last = wide_type(t);
    c.to.site().integer_operations = 2;
  }
  const u32 dst = c.to.destination(c.o[0], last);
  const u32 x = flushed_source(c, c.o[1], t, modes.flush), y = flushed_source(c, c.o[2], t, modes.flush);
  const u32 z = flushed_source(c, c.o[3], last, modes.flush);
  Op& op = c.to.emit(c.to.handlers().ternary(o, t, modes.rounding));
  op.dst = dst;
  op.a = x;
  op.b = y;
  op.c = z;
  if (fused) finish_float(c, modes, t, dst);
}

void lower_div(Context& c) {
  const Type t = c.m.type();
  if (is_float(t)) {
    c.m.ignore({"approx", "full"});
    if (t != Type::f32 && t != Type::f64) throw Unsupported("type");
    return float_binary(c, Binary::div, t);
  }
  integer_binary(c, c.in.opcode == "div" ? Binary::div : Binary::rem, t, t);
}

void lower_min_max(Context& c) {
  const Type t = c.m.type();
  const bool min = c.in.opcode == "min", nan = c.m.take("NaN");
  if (is_float(t)) {
    if (c.o.size() != 3) throw Unsupported("three-input form");
    return float_binary(c, nan ? (min ? Binary::min_nan : Binary::max_nan) : min ? Binary::min : Binary::max, t);
  }
  integer_binary(c, min ? Binary::min : Binary::max, t, t);
}

void lower_neg_abs(Context& c) {
  const Type t = c.m.type();
  need(c, 2);
  const bool flush = c.m.take("ftz");
  if (is_float(t))
    c.to.site().kind = InstructionClass::floating;
  else
    c.to.site().integer_operations = 1;
  const u32 dst = c.to.unary(c.in.opcode == "neg" ? Unary::neg : Unary::abs, t, c.o[0], c.o[1]).dst;
  if (flush && t == Type::f32) c.to.in_place(Unary::flush, t, dst);
}

void lower_copysign(Context& c) {
  float_binary(c, Binary::copysign, c.m.type());
  c.to.site().flops = 0;
}

void lower_carry(Context& c) {
  const Type t = c.m.type();
  const std::string& o = c.in.opcode;
  const bool writes = c.m.take("cc"), multiply = o == "mad" || o == "madc", high = c.m.take("hi");
  c.m.take("lo");
  need(c, multiply ? 4 : 3);
  const u32 x = c.to.source(c.o[1], t), y = c.to.source(c.o[2], t), z = multiply ? c.to.source(c.o[3], t) : 0;
  const u32 dst = c.to.destination(c.o[0], t);
  if (bytes_of(t) < 4) throw Unsupported("type");
  Op& op = c.to.emit(run_carry);
  op.dst = dst;
  op.a = x;
  op.b = y;
  op.c = z;
  op.imm = bytes_of(t);
  op.k = static_cast<u8>((writes ? 1 : 0) | (o == "addc" || o == "subc" || o == "madc" ? 2 : 0));
  op.n = static_cast<u8>(multiply ? (high ? (is_signed(t) ? 4 : 3) : 2) : o == "sub" || o == "subc" ? 1 : 0);
  c.to.site().integer_operations = multiply ? 2 : 1;
}

void lower_special(Context& c) {
  const Type t = c.m.type();
  need(c, 2);
  const bool approx = c.m.take("approx"), flush = c.m.take("ftz");
  const Rounding r = c.m.take_rounding().value_or(Rounding::nearest);
  const std::string& o = c.in.opcode;
  Unary u = o == "rcp"     ? Unary::rcp
            : o == "sqrt"  ? Unary::sqrt
            : o == "rsqrt" ? Unary::rsqrt
            : o == "ex2"   ? Unary::ex2
            : o == "lg2"   ? Unary::lg2
            : o == "sin"   ? Unary::sin
            : o == "cos"   ? Unary::cos
                           : Unary::tanh;
  c.to.site().integer_operations = 0;
  if (t == Type::f64 && approx) {
    u = u == Unary::rcp ? Unary::rcp_high : u == Unary::rsqrt ? Unary::rsqrt_high : u;
    c.to.unary(u, t, c.o[0], c.o[1]);
    return;
  }
  if (r != Rounding::nearest) {
    if (u != Unary::rcp && u != Unary::sqrt) throw Unsupported("rounding mode");
    const u32 dst = c.to.destination(c.o[0], t), from = flushed_source(c, c.o[1], t, flush);
    Op& op = c.to.emit(t == Type::f32 ? run_directed32 : t == Type::f64 ? run_directed64 : nullptr);
    op.dst = dst;
    op.a = from;
    op.k = static_cast<u8>(u);
    op.n = static_cast<u8>(r);
    if (flush) c.to.in_place(Unary::flush, t, dst);
    return;
  }
  if (flush && u == Unary::ex2 && t == Type::f32) {
    c.to.unary(Unary::ex2_ftz, t, c.o[0], c.o[1]);
    return;
  }
  const u32 dst = c.to.destination(c.o[0], t), from = flushed_source(c, c.o[1], t, flush);
  Op& op = c.to.emit(c.to.handlers().unary(u, t));
  op.dst = dst;
  op.a = from;
  if (flush && t == Type::f32) c.to.in_place(Unary::flush, t, dst);
}

}  // namespace ridge::ptx
