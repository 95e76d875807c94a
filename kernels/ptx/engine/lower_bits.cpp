// Logic, shifts, bit fields, permutation and the small dot products.
#include "kernels/ptx/engine/lowering.hpp"
#include "kernels/ptx/engine/run.hpp"

namespace ridge::ptx {
namespace {

using Context = Lowering::Context;

Op& ternary(Context& c, Ternary o, Type key, Type d, Type a, Type b, Type third, std::size_t operands = 4) {
  need(c, operands);
  const u32 x = c.to.source(c.o[1], a), y = c.to.source(c.o[2], b);
  const u32 z = operands > 3 ? c.to.source(c.o[3], third) : 0, dst = c.to.destination(c.o[0], d);
  Op& op = c.to.emit(c.to.handlers().ternary(o, key, Rounding::nearest));
  op.dst = dst;
  op.a = x;
  op.b = y;
  op.c = z;
  return op;
}

void predicate_logic(Context& c) {
  const std::string& o = c.in.opcode;
  const bool unary = o == "not";
  need(c, unary ? 2 : 3);
  const u32 a = c.to.predicate(c.o[1]), b = unary ? 0 : c.to.predicate(c.o[2]),
            dst = c.to.destination(c.o[0], Type::pred);
  Op& op = c.to.emit(run_predicate);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.k = unary ? 1 : o == "and" ? 2 : o == "or" ? 3 : 4;
  op.n = static_cast<u8>((c.o[1].inverted ? 1 : 0) | (!unary && c.o[2].inverted ? 2 : 0));
}

}  // namespace

void lower_logic(Context& c) {
  const Type t = c.m.type();
  const std::string& o = c.in.opcode;
  if (o == "lop3") {
    need(c, 5);
    if (c.o.size() != 5 || !c.o[0].parts.empty()) throw Unsupported("form with a predicate");
    ternary(c, Ternary::lop3, t, t, t, t, t).imm = c.o[4].value;
    return;
  }
  if (t == Type::pred) return predicate_logic(c);
  if (o == "not" || o == "cnot") {
    need(c, 2);
    c.to.unary(o == "not" ? Unary::not_ : Unary::cnot, t, c.o[0], c.o[1]);
    return;
  }
  need(c, 3);
  const u32 a = c.to.source(c.o[1], t), b = c.to.source(c.o[2], t), dst = c.to.destination(c.o[0], t);
  Op& op = c.to.emit(c.to.handlers().binary(o == "and"  ? Binary::and_
                                            : o == "or" ? Binary::or_
                                                        : Binary::xor_,
                                            t, Rounding::nearest));
  op.dst = dst;
  op.a = a;
  op.b = b;
}

void lower_shift(Context& c) {
  const Type t = c.m.type();
  if (c.in.opcode == "shf") {
    const bool left = c.m.take("l"), wrap = c.m.take("wrap");
    c.m.ignore({"r", "clamp"});
    ternary(c, left ? Ternary::funnel_left : Ternary::funnel_right, Type::b32, Type::b32, Type::b32, Type::b32,
            Type::u32)
        .k = wrap;
    return;
  }
  need(c, 3);
  const u32 a = c.to.source(c.o[1], t), n = c.to.source(c.o[2], Type::u32), dst = c.to.destination(c.o[0], t);
  Op& op = c.to.emit(c.to.handlers().binary(c.in.opcode == "shl" ? Binary::shl : Binary::shr, t, Rounding::nearest));
  op.dst = dst;
  op.a = a;
  op.b = n;
}

void lower_bits(Context& c) {
  const Type t = c.m.type();
  const std::string& o = c.in.opcode;
  if (o == "bfe") {
    ternary(c, Ternary::bfe, t, t, t, Type::u32, Type::u32);
  } else if (o == "bfi") {
    need(c, 5);
    const u32 length = c.to.source(c.o[4], Type::u32);
    ternary(c, Ternary::bfi, t, t, t, t, Type::u32).d = length;
  } else if (o == "fns") {
    ternary(c, Ternary::fns, t, Type::b32, Type::b32, Type::b32, Type::b32);
  } else if (o == "prmt") {
    const int mode = c.m.take_one_of({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
    ternary(c, Ternary::prmt, Type::b32, Type::b32, Type::b32, Type::b32, Type::b32).k = static_cast<u8>(mode + 1);
  } else if (o == "szext" || o == "bmsk") {
    const bool wrap = c.m.take("wrap");
    c.m.take("clamp");
    Op& op = ternary(c, o == "szext" ? Ternary::szext : Ternary::bmsk, t, t, t, Type::u32, t, 3);
    op.k = static_cast<u8>((wrap ? 1 : 0) | (o == "szext" && is_signed(t) ? 2 : 0));
  } else {
    need(c, 2);
    const bool shift = c.m.take("shiftamt");
    const Unary u = o == "popc"   ? Unary::popc
                    : o == "clz"  ? Unary::clz
                    : o == "brev" ? Unary::brev
                    : shift       ? Unary::bfind_shift
                                  : Unary::bfind;
    const Type result = o == "brev" ? t : Type::u32;
    const u32 a = c.to.source(c.o[1], t), dst = c.to.destination(c.o[0], result);
    Op& op = c.to.emit(c.to.handlers().unary(u, t));
    op.dst = dst;
    op.a = a;
  }
}

void lower_dot(Context& c) {
  if (c.m.types().size() < 2) throw Unsupported("types");
  const bool high = c.m.take("hi");
  c.m.take("lo");
  const bool four = c.in.opcode == "dp4a";
  Op& op = ternary(c, four ? Ternary::dp4a : Ternary::dp2a, Type::b32, Type::b32, Type::b32, Type::b32, Type::b32);
  op.k = static_cast<u8>((is_signed(c.m.types()[0]) ? 1 : 0) | (is_signed(c.m.types()[1]) ? 2 : 0));
  op.n = high;
  c.to.site().integer_operations = four ? 8 : 4;
}

}  // namespace ridge::ptx
