// Branches, calls, exits, barriers and waiting.
#include "kernels/ptx/engine/lowering.hpp"
#include "kernels/ptx/engine/run.hpp"

namespace ridge::ptx {
namespace {

using Context = Lowering::Context;

u32 label_of(Context& c, const Operand& o, Symbol::Kind kind) {
  if (o.kind != Operand::Kind::name) throw Unsupported("branch target");
  const Symbol& s = c.to.symbol(o.name);
  if (s.kind != kind) throw Unsupported("branch target " + o.name);
  return s.offset;
}

}  // namespace

void lower_branch(Context& c) {
  need(c, 1);
  c.m.take("uni");
  const u32 label = label_of(c, c.o[0], Symbol::Kind::label);
  c.to.emit_flow(Flow::branch).target = label;
}

void lower_branch_table(Context& c) {
  need(c, 2);
  c.m.ignore({"uni", "idx"});
  const u32 index = c.to.source(c.o[0], Type::u32), table = label_of(c, c.o[1], Symbol::Kind::table);
  Op& op = c.to.emit_flow(Flow::branch_table);
  op.a = index;
  op.target = table;
}

void lower_exit(Context& c) {
  c.m.take("uni");
  const s64 behind = c.in.opcode == "ret" ? c.to.return_label() : -1;
  if (behind >= 0) {
    c.to.emit_flow(Flow::branch).target = static_cast<u32>(behind);
  } else {
    c.to.emit_flow(Flow::exit);
  }
}

void lower_call(Context& c) {
  c.m.take("uni");
  c.to.call(c);
}

void lower_trap(Context& c) {
  c.to.emit_flow(Flow::trap);
}

void lower_sleep(Context& c) {
  if (c.m.types().empty()) throw Unsupported("type");
  c.to.emit_flow(Flow::yield, run_nothing);
}

/// Fields of a barrier operation. k: 0 wait, 1 arrive, 2 popc, 3 and, 4 or; n: predicate inverted; imm: aligned;
/// a: number, b: threads (0: all), c: predicate.
void lower_barrier(Context& c) {
  const bool warp = c.m.take("warp");
  c.m.ignore({"sync", "cta"});
  if (warp) {
    need(c, 1);
    const u32 members = c.to.source(c.o[0], Type::b32);
    Op& op = c.to.emit_flow(Flow::warp_barrier);
    op.members = static_cast<s32>(members);
    return;
  }
  const bool aligned = c.m.take("aligned") || c.in.opcode == "bar";
  const bool reduce = c.m.take("red"), arrive = c.m.take("arrive");
  int k = arrive ? 1 : 0;
  std::size_t at = 0;
  u32 dst = 0, p = 0;
  bool inverted = false;
  if (reduce) {
    const int kind = c.m.take_one_of({"popc", "and", "or"});
    if (kind < 0) throw Unsupported("reduction");
    k = 2 + kind;
    need(c, 3);
    dst = c.to.destination(c.o[0], kind == 0 ? Type::u32 : Type::pred);
    at = 1;
    p = c.to.predicate(c.o.back());
    inverted = c.o.back().inverted;
  }
  need(c, at + 1);
  const u32 number = c.to.source(c.o[at], Type::u32);
  const std::size_t given = c.o.size() - at - (reduce ? 1 : 0);
  const u32 threads = given > 1 ? c.to.source(c.o[at + 1], Type::u32) : 0;
  if (arrive && given < 2) throw Unsupported("bar.arrive without a number of threads");
  Op& op = c.to.emit_flow(Flow::barrier);
  op.dst = dst;
  op.a = number;
  op.b = threads;
  op.c = p;
  op.k = static_cast<u8>(k);
  op.n = inverted;
  op.imm = aligned;
}

}  // namespace ridge::ptx
