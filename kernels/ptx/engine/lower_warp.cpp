// Shuffles, votes, matches, warp reductions, and the matrix instructions.
#include "kernels/ptx/engine/lowering.hpp"
#include "kernels/ptx/engine/run.hpp"
#include "kernels/ptx/lanes/fragments.hpp"

namespace ridge::ptx {
namespace {

using Context = Lowering::Context;

Op& collective(Context& c, Handler handler, const Operand* members) {
  const s32 mask = members ? static_cast<s32>(c.to.source(*members, Type::b32)) : no_register;
  Op& op = c.to.emit_flow(Flow::warp_collective, handler);
  op.members = mask;
  op.imm = -1;
  return op;
}

std::vector<u32> fragment(Context& c, const Operand& o, Type t, bool destination) {
  const Type rt = t == Type::f64 ? Type::f64 : Type::b32;
  const std::vector<Operand> one = {o};
  std::vector<u32> out;
  for (const Operand& e : o.kind == Operand::Kind::vector ? o.parts : one) {
    // Accumulators of f32 and s32 may be declared .f32 or .b32: only the width matters.
    out.push_back(destination ? c.to.destination(e, rt) : c.to.source(e, rt));
  }
  return out;
}

void multiply(Context& c, MatrixExtra& x) {
  need(c, 4);
  x.saturate = c.m.take("satfinite");
  x.a = fragment(c, c.o[1], x.a_type, false);
  x.b = fragment(c, c.o[2], x.b_type, false);
  x.c = fragment(c, c.o[3], x.c_type, false);
  x.d = fragment(c, c.o[0], x.d_type, true);
  const auto count = [](int rows, int columns, Type t) {
    return static_cast<std::size_t>(fragment_registers(rows, columns, static_cast<int>(bits_of(t))));
  };
  if (x.m > 32 || x.n > 32 || x.a.size() < count(x.m, x.k, x.a_type) || x.b.size() < count(x.k, x.n, x.b_type) ||
      x.c.size() < count(x.m, x.n, x.c_type) || x.d.size() < count(x.m, x.n, x.d_type)) {
    throw Unsupported("shape of the fragments");
  }
  collective(c, c.to.handlers().matrix_multiply, nullptr).extra = &x;
  c.to.site().tensor_flops = static_cast<u32>(2 * x.m * x.n * x.k);
  c.to.site().flop_type = flop_type(x.a_type);
}

}  // namespace

void lower_shuffle(Context& c) {
  if (!c.m.take("sync")) throw Unsupported("form without .sync");
  need(c, 5);
  const int k = c.m.take_one_of({"up", "down", "bfly", "idx"});
  if (k < 0) throw Unsupported("mode");
  const u32 a = c.to.source(c.o[1], Type::b32), b = c.to.source(c.o[2], Type::b32), d = c.to.source(c.o[3], Type::b32);
  const u32 dst = c.to.destination(c.o[0], Type::b32);
  const bool predicate = !c.o[0].parts.empty() && c.o[0].parts[0].kind != Operand::Kind::sink;
  const s64 p = predicate ? s64{c.to.destination(c.o[0].parts[0], Type::pred)} : -1;
  Op& op = collective(c, run_shuffle, &c.o[4]);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.c = d;
  op.k = static_cast<u8>(k);
  op.imm = p;
}

void lower_vote(Context& c) {
  if (!c.m.take("sync")) throw Unsupported("form without .sync");
  need(c, 3);
  const int k = c.m.take_one_of({"all", "any", "uni", "ballot"});
  if (k < 0) throw Unsupported("mode");
  const u32 a = c.to.predicate(c.o[1]), dst = c.to.destination(c.o[0], k == 3 ? Type::b32 : Type::pred);
  Op& op = collective(c, run_vote, &c.o[2]);
  op.dst = dst;
  op.a = a;
  op.k = static_cast<u8>(k);
  op.n = c.o[1].inverted;
}

void lower_collective(Context& c) {
  const std::string& o = c.in.opcode;
  if (o == "activemask") {
    need(c, 1);
    const u32 dst = c.to.destination(c.o[0], Type::b32);
    c.to.emit(run_activemask).dst = dst;
    return;
  }
  c.m.take("sync");
  const bool elect = o == "elect";
  need(c, elect ? 2 : 3);
  const Type t = elect ? Type::b32 : c.m.type();
  const u32 a = elect ? 0 : c.to.source(c.o[1], t), dst = c.to.destination(c.o[0], o == "match" ? Type::b32 : t);
  const bool predicate = !c.o[0].parts.empty() && c.o[0].parts[0].kind != Operand::Kind::sink;
  const s64 p = predicate ? s64{c.to.destination(c.o[0].parts[0], Type::pred)} : -1;
  Handler handler = run_elect;
  u8 k = 0, n = 0;
  if (o == "match") {
    handler = run_match;
    k = c.m.take_one_of({"any", "all"}) == 1;
    n = static_cast<u8>(bytes_of(t));
  } else if (o == "redux") {
    handler = run_redux;
    const int operation = c.m.take_one_of({"add", "min", "max", "and", "or", "xor"});
    if (operation < 0 || bytes_of(t) != 4 || is_float(t)) throw Unsupported("operation or type");
    k = static_cast<u8>(operation);
    n = static_cast<u8>(t);
  }
  Op& op = collective(c, handler, &c.o[elect ? 1 : 2]);
  op.dst = dst;
  op.a = a;
  op.k = k;
  op.n = n;
  op.imm = p;
}

void lower_ldmatrix(Context& c) {
  c.m.ignore({"sync", "aligned"});
  if (!c.m.take("m8n8")) throw Unsupported("shape");
  const bool transposed = c.m.take("trans");
  need(c, 2);
  if (c.in.opcode == "movmatrix") {
    const u32 a = c.to.source(c.o[1], Type::b32), dst = c.to.destination(c.o[0], Type::b32);
    Op& op = collective(c, run_transpose, nullptr);
    op.dst = dst;
    op.a = a;
    return;
  }
  if (c.m.type() != Type::b16) throw Unsupported("type");
  auto& x = c.to.extra<MatrixAccessExtra>();
  x.is_store = c.in.opcode == "stmatrix";
  x.transposed = transposed;
  const int count = c.m.take_one_of({"x1", "x2", "x4"});
  x.count = count < 0 ? 1 : 1 << count;
  x.memory.slot = c.to.kernel().access_slots++;
  c.to.address(x.memory, c.o[x.is_store ? 0 : 1], c.m.take_space());
  x.memory.element_bytes = 2;
  x.registers = fragment(c, c.o[x.is_store ? 1 : 0], Type::b32, !x.is_store);
  if (x.registers.size() != static_cast<std::size_t>(x.count)) throw Unsupported("number of registers");
  collective(c, run_matrix_move, nullptr).extra = &x;
}

void lower_mma(Context& c) {
  auto& x = c.to.extra<MatrixExtra>();
  c.m.ignore({"sync", "aligned", "row", "col", "xor", "popc"});
  x.bitwise_and = c.m.take("and");
  const auto& t = c.m.types();
  if (!c.m.take_shape(x.m, x.n, x.k) || t.size() != 4) throw Unsupported("shape or types");
  x.d_type = t[0];
  x.a_type = t[1];
  x.b_type = t[2];
  x.c_type = t[3];
  if (x.m == 8 && x.a_type == Type::f16) throw Unsupported("shape m8n8k4 of f16");
  multiply(c, x);
}

void lower_wmma(Context& c) {
  int m = 0, n = 0, k = 0;
  c.m.ignore({"sync", "aligned"});
  if (!c.m.take_shape(m, n, k)) throw Unsupported("shape");
  const bool store = c.m.take("store"), load = c.m.take("load");
  if (!store && !load) {
    if (!c.m.take("mma")) throw Unsupported("operation");
    auto& x = c.to.extra<MatrixExtra>();
    c.m.ignore({"row", "col", "rn"});
    const auto& t = c.m.types();
    x.m = m;
    x.n = n;
    x.k = k;
    if (t.size() != 2 && t.size() != 4) throw Unsupported("types");
    x.d_type = t.front();
    x.c_type = t.back();
    x.a_type = t.size() == 4 ? t[1] : Type::f16;
    x.b_type = t.size() == 4 ? t[2] : Type::f16;
    return multiply(c, x);
  }
  need(c, 2);
  auto& x = c.to.extra<MatrixAccessExtra>();
  const int which = c.m.take_one_of({"a", "b", "c", "d"});
  if (which < 0) throw Unsupported("fragment");
  x.fragment = which == 0 ? 'a' : which == 1 ? 'b' : 'c';
  x.column_major = c.m.take("col");
  c.m.take("row");
  x.is_store = store;
  x.m = m;
  x.n = n;
  x.k = k;
  x.type = c.m.type();
  c.to.site().kind = store ? InstructionClass::store : InstructionClass::load;
  x.memory.slot = c.to.kernel().access_slots++;
  c.to.address(x.memory, c.o[store ? 0 : 1], c.m.take_space());
  x.registers = fragment(c, c.o[store ? 1 : 0], x.type, !store);
  const int rows = x.fragment == 'b' ? k : m, columns = x.fragment == 'a' ? k : n;
  x.default_stride = x.column_major ? rows : columns;
  if (x.fragment == 'c' &&
      x.registers.size() != static_cast<std::size_t>(fragment_registers(m, n, static_cast<int>(bits_of(x.type))))) {
    throw Unsupported("number of registers");
  }
  if (c.o.size() > 2) x.stride = static_cast<s32>(c.to.source(c.o[2], Type::u32));
  collective(c, run_fragment_move, nullptr).extra = &x;
}

}  // namespace ridge::ptx
