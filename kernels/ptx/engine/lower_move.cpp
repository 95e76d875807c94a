// mov with its vector forms, cvt, cvta and isspacep.
#include "kernels/ptx/engine/lowering.hpp"
#include "kernels/ptx/engine/run.hpp"

namespace ridge::ptx {
namespace {

using Context = Lowering::Context;

Type bits_type(unsigned bytes) {
  switch (bytes) {
    case 1:
      return Type::b8;
    case 2:
      return Type::b16;
    case 4:
      return Type::b32;
    case 8:
      return Type::b64;
    default:
      throw Unsupported("element size");
  }
}

void move_one(Context& c, const Operand& to, const Operand& from, Type t) {
  c.to.unary(Unary::mov, t, to, from);
}

void pack(Context& c, Type t, bool packing) {
  const Operand& whole = c.o[packing ? 0 : 1];
  const std::vector<Operand>& parts = c.o[packing ? 1 : 0].parts;
  if (parts.empty() || bytes_of(t) % parts.size() != 0 || bytes_of(t) > 8) throw Unsupported("vector shape");
  const unsigned each = bytes_of(t) / static_cast<unsigned>(parts.size());
  const Type et = bits_type(each);
  std::vector<u32> registers;
  for (const Operand& p : parts) registers.push_back(packing ? c.to.source(p, et) : c.to.destination(p, et));
  const u32 at = packing ? c.to.destination(whole, t) : c.to.source(whole, t);
  const bool two = registers.size() == 2 && each >= 2;
  if (two) {
    Op& op = c.to.emit(packing ? c.to.handlers().pack(each) : c.to.handlers().unpack(each));
    op.dst = packing ? at : registers[0];
    op.a = packing ? registers[0] : at;
    op.b = registers[1];
    return;
  }
  auto& x = c.to.extra<ElementsExtra>();
  x.registers = registers;
  x.element_bytes = each;
  x.whole_bytes = bytes_of(t) < 2 ? 2 : bytes_of(t);
  Op& op = c.to.emit(packing ? run_pack : run_unpack);
  op.dst = op.a = at;
  op.extra = &x;
}

bool is_packed_float(Type t) {
  return is_packed(t) && is_float(t);
}

void packed_conversion(Context& c, const Conversion& conversion) {
  auto& x = c.to.extra<ConversionExtra>();
  x.conversion = conversion;
  const bool two = conversion.from == Type::f32;
  need(c, two ? 3 : 2);
  const u32 a = c.to.any_source(c.o[1], conversion.from, x.from_bytes);
  const u32 b = two ? c.to.any_source(c.o[2], conversion.from, x.from_bytes) : 0;
  const u32 dst = c.to.any_destination(c.o[0], conversion.to, x.to_bytes);
  const bool plain = two && conversion.rounding == Rounding::nearest && !conversion.relu && !conversion.finite;
  Handler fast = plain ? c.to.handlers().convert_pair(conversion.to) : nullptr;
  Op& op = c.to.emit(fast ? fast : run_convert_packed);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.k = two ? 2 : 1;
  op.extra = &x;
}

void pack_saturated(Context& c) {  // cvt.pack.sat.u8.s32.b32 d, a, b, c
  const Type t = c.m.types().at(0);
  c.m.take("sat");
  need(c, 3);
  if (bits_of(t) > 16 || c.m.types().at(1) != Type::s32) throw Unsupported("types of cvt.pack");
  const bool third = c.o.size() > 3;
  const u32 a = c.to.source(c.o[1], Type::s32), b = c.to.source(c.o[2], Type::s32),
            d = third ? c.to.source(c.o[3], Type::b32) : 0;
  const u32 dst = c.to.destination(c.o[0], Type::b32);
  Op& op = c.to.emit(run_convert_pack);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.c = d;
  op.k = static_cast<u8>(t);
  op.n = third;
}

/// Same-type conversions to an integral value.
Handler round_in_place(Context& c, const Conversion& v) {
  if (!v.to_integer || v.from != v.to || v.flush || v.saturate || v.relu) return nullptr;
  if (v.from != Type::f32 && v.from != Type::f64) return nullptr;
  const Unary u = v.rounding == Rounding::zero   ? Unary::round_zero
                  : v.rounding == Rounding::down ? Unary::round_down
                  : v.rounding == Rounding::up   ? Unary::round_up
                                                 : Unary::round_nearest;
  return c.to.handlers().unary(u, v.from);
}

}  // namespace

void lower_mov(Context& c) {
  need(c, 2);
  const Type t = c.m.type();
  const bool to_vector = c.o[0].kind == Operand::Kind::vector, from_vector = c.o[1].kind == Operand::Kind::vector;
  if (t == Type::pred) {
    const u32 a = c.to.predicate(c.o[1]), dst = c.to.destination(c.o[0], t);
    Op& op = c.to.emit(run_predicate);
    op.dst = dst;
    op.a = a;
    op.n = c.o[1].inverted;
  } else if (to_vector && from_vector) {
    if (c.o[0].parts.size() != c.o[1].parts.size() || c.o[0].parts.empty()) throw Unsupported("vector shape");
    const Type et = bits_type(bytes_of(t) / static_cast<unsigned>(c.o[0].parts.size()));
    for (std::size_t i = 0; i < c.o[0].parts.size(); ++i) {
      if (i == 1) c.to.hide_rest();
      move_one(c, c.o[0].parts[i], c.o[1].parts[i], et);
    }
  } else if (to_vector || from_vector) {
    pack(c, t, from_vector);
  } else {
    move_one(c, c.o[0], c.o[1], t);
  }
}

void lower_cvt(Context& c) {
  if (c.m.take("pack")) return pack_saturated(c);
  need(c, 2);
  if (c.m.types().size() != 2) throw Unsupported("types");
  Conversion v;
  v.to = c.m.types()[0];
  v.from = c.m.types()[1];
  const int integral = c.m.take_one_of({"rni", "rzi", "rmi", "rpi"});
  v.to_integer = integral >= 0;
  const std::optional<Rounding> rounding = c.m.take_rounding();
  v.rounding = v.to_integer
                   ? static_cast<Rounding>(integral)
                   : rounding.value_or(is_float(v.from) && !is_float(v.to) ? Rounding::zero : Rounding::nearest);
  v.saturate = c.m.take("sat");
  v.flush = c.m.take("ftz");
  v.relu = c.m.take("relu");
  v.finite = c.m.take("satfinite");
  if (is_packed_float(v.to) || is_packed_float(v.from)) return packed_conversion(c, v);
  unsigned from_bytes = 0, to_bytes = 0;
  const u32 a = c.to.any_source(c.o[1], v.from, from_bytes), dst = c.to.any_destination(c.o[0], v.to, to_bytes);
  const bool exact_widths = from_bytes == bytes_of(v.from) && to_bytes == bytes_of(v.to);
  Handler fast = exact_widths ? round_in_place(c, v) : nullptr;
  const bool plain = exact_widths && !v.saturate && !v.flush && !v.relu && !v.finite;
  const bool usual_rounding = v.rounding == (is_float(v.from) && !is_float(v.to) ? Rounding::zero : Rounding::nearest);
  const bool same_float = is_float(v.from) && is_float(v.to) && v.to_integer;
  if (!fast && plain && usual_rounding && !same_float) fast = c.to.handlers().convert(v.to, v.from);
  if (!fast && exact_widths && v.saturate && v.from == Type::f32 && v.to == Type::f32 && !v.flush && !v.to_integer &&
      !v.relu) {
    fast = c.to.handlers().unary(Unary::saturate, Type::f32);
  }
  ConversionExtra* x = nullptr;
  if (!fast) {
    x = &c.to.extra<ConversionExtra>();
    x->conversion = v;
    x->to_bytes = to_bytes;
    x->from_bytes = from_bytes;
  }
  Op& op = c.to.emit(fast ? fast : run_convert);
  op.dst = dst;
  op.a = a;
  op.extra = x;
}

void lower_cvta(Context& c) {
  need(c, 2);
  const Type t = c.m.type();
  const bool to_space = c.m.take("to");
  const Space s = c.m.take_space();
  const u64 window = s == Space::shared ? shared_window : s == Space::local ? local_window : 0;
  if (window == 0 || bytes_of(t) != 8) {
    if (window != 0) throw Unsupported("32-bit generic address");
    move_one(c, c.o[0], c.o[1], t);
    return;
  }
  const u32 a = c.to.source(c.o[1], t), dst = c.to.destination(c.o[0], t), base = c.to.constant(8, window);
  Op& op = c.to.emit(c.to.handlers().binary(to_space ? Binary::sub : Binary::add, Type::u64, Rounding::nearest));
  op.dst = dst;
  op.a = a;
  op.b = base;
}

void lower_isspacep(Context& c) {
  need(c, 2);
  const Space s = c.m.take_space();
  const u32 a = c.to.source(c.o[1], Type::u64), dst = c.to.destination(c.o[0], Type::pred);
  Op& op = c.to.emit(run_isspacep);
  op.dst = dst;
  op.a = a;
  op.k = static_cast<u8>(s);
}

}  // namespace ridge::ptx
