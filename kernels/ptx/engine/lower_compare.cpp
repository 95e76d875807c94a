// setp, set, selp, slct and testp.
#include "kernels/ptx/engine/lowering.hpp"
#include "kernels/ptx/engine/run.hpp"

namespace ridge::ptx {
namespace {

using Context = Lowering::Context;

Compare take_comparison(Context& c) {
  const int i = c.m.take_one_of({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num",
                                 "nan", "lo", "ls", "hi", "hs"});
  if (i < 0) throw Unsupported("no comparison");
  constexpr Compare unsigned_names[] = {Compare::lt, Compare::le, Compare::gt, Compare::ge};
  return i < 14 ? static_cast<Compare>(i) : unsigned_names[i - 14];
}

}  // namespace

void lower_setp(Context& c) {
  const bool to_register = c.in.opcode == "set";
  const Type t = c.m.type();
  const Compare comparison = take_comparison(c);
  const int combination = c.m.take_one_of({"and", "or", "xor"}) + 1;
  const bool flush = c.m.take("ftz");
  const bool pair = t == Type::f16x2 || t == Type::bf16x2;
  need(c, combination ? 4 : 3);
  if (pair && combination) throw Unsupported("combination of a packed comparison");
  const u32 a = c.to.source(c.o[1], t), b = c.to.source(c.o[2], t);
  CompareExtra* x = nullptr;
  const bool second = !c.o[0].parts.empty();
  if (combination || second || to_register) {
    x = &c.to.extra<CompareExtra>();
    x->combination = static_cast<u8>(combination);
    if (combination) {
      x->combined = static_cast<s32>(c.to.predicate(c.o[3]));
      x->combined_inverted = c.o[3].inverted;
    }
    if (second) x->second = static_cast<s32>(c.to.destination(c.o[0].parts[0], Type::pred));
    if (to_register) x->result = c.m.types()[0];
  }
  // `.ftz` on single precision is a comparison type of its own; the table knows it as tf32.
  const Type key = flush && t == Type::f32 ? Type::tf32 : t;
  const u32 dst = to_register ? c.to.destination(c.o[0], c.m.types()[0]) : c.to.destination(c.o[0], Type::pred);
  Op& op = c.to.emit(to_register ? c.to.handlers().set(comparison, key) : c.to.handlers().setp(comparison, key));
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.extra = x;
}

void lower_selp(Context& c) {
  need(c, 4);
  const Type t = c.in.opcode == "slct" ? c.m.types().at(0) : c.m.type();
  c.m.take("ftz");
  const u32 a = c.to.source(c.o[1], t), b = c.to.source(c.o[2], t), dst = c.to.destination(c.o[0], t);
  const unsigned bytes = bytes_of(t) < 2 ? 2 : bytes_of(t);
  if (c.in.opcode == "slct") {
    const Type condition = c.m.type();
    const u32 by = c.to.source(c.o[3], condition);
    Op& op = c.to.emit(run_slct);
    op.dst = dst;
    op.a = a;
    op.b = b;
    op.c = by;
    op.k = condition == Type::f32;
    op.n = static_cast<u8>(bytes);
    return;
  }
  const u32 p = c.to.predicate(c.o[3]);
  Op& op = c.to.emit(c.to.handlers().select(bytes));
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.c = p;
  op.k = c.o[3].inverted;
}

void lower_testp(Context& c) {
  need(c, 2);
  const Type t = c.m.type();
  const int kind = c.m.take_one_of({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (kind < 0 || (t != Type::f32 && t != Type::f64)) throw Unsupported("kind or type");
  const u32 a = c.to.source(c.o[1], t), dst = c.to.destination(c.o[0], Type::pred);
  Op& op = c.to.emit(run_testp);
  op.dst = dst;
  op.a = a;
  op.k = static_cast<u8>(kind);
  op.n = t == Type::f64;
}

}  // namespace ridge::ptx
