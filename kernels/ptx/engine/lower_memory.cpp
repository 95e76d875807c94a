// ld, st, atom, red, cp.async, and instructions that only give hints.
#include <algorithm>

#include "kernels/ptx/engine/lowering.hpp"
#include "kernels/ptx/engine/run.hpp"

namespace ridge::ptx {
namespace {

using Context = Lowering::Context;

/// Races are tracked in pieces as large as the smallest access the kernel makes to shared memory.
void note_granule(Context& c, const Access& x) {
  if (x.space != Space::shared && x.space != Space::generic) return;
  c.to.kernel().shared_granule = std::min<u32>(c.to.kernel().shared_granule, x.element_bytes);
}

Type register_type(unsigned bytes) {
  return bytes == 2 ? Type::b16 : bytes == 4 ? Type::b32 : Type::b64;
}

AtomicOp take_atomic(Context& c) {
  const int i = c.m.take_one_of({"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
  if (i < 0) throw Unsupported("operation");
  return static_cast<AtomicOp>(i);
}

void copy_async(Context& c) {
  c.m.ignore({"ca", "cg", "shared", "shared::cta", "global", "L2::64B", "L2::128B", "L2::256B"});
  need(c, 3);
  auto& x = c.to.extra<AsyncExtra>();
  x.to.slot = c.to.kernel().access_slots++;
  x.from.slot = c.to.kernel().access_slots++;
  c.to.address(x.to, c.o[0], Space::shared);
  c.to.address(x.from, c.o[1], Space::global);
  x.bytes = static_cast<u32>(c.o[2].value);
  if (c.o[2].kind != Operand::Kind::integer || (x.bytes != 4 && x.bytes != 8 && x.bytes != 16))
    throw Unsupported("size");
  if (c.o.size() > 3) {
    if (c.to.is_register(c.o[3]) && c.to.register_type(c.o[3]) == Type::pred) {
      x.ignore = static_cast<s32>(c.to.predicate(c.o[3]));
      x.ignore_inverted = c.o[3].inverted;
    } else {
      x.source_bytes = static_cast<s32>(c.to.source(c.o[3], Type::u32));
    }
  }
  c.to.emit(run_copy_async).extra = &x;
}

}  // namespace

void lower_load_store(Context& c) {
  need(c, 2);
  const bool store = c.in.opcode == "st";
  const Type t = c.m.type();
  const bool ordered = c.m.take_memory_semantics();
  const bool vector = c.m.take_one_of({"v2", "v4", "v8"}) >= 0;
  Space space = c.m.take_space();
  if (c.in.opcode == "ldu") space = Space::global;
  Access& x = c.to.new_access();
  c.to.address(x, c.o[store ? 0 : 1], space);
  const Operand& data = c.o[store ? 1 : 0];
  const std::vector<Operand> one = {data};
  const std::vector<Operand>& values = data.kind == Operand::Kind::vector ? data.parts : one;
  if (values.empty() || values.size() > 8 || vector != (data.kind == Operand::Kind::vector) || bytes_of(t) > 8) {
    throw Unsupported("vector shape");
  }
  x.element_bytes = static_cast<u8>(bytes_of(t));
  x.count = static_cast<u8>(values.size());
  x.is_signed = is_signed(t);
  x.ordered = ordered;
  unsigned width = 0;
  for (const Operand& v : values) {
    if (c.to.is_register(v)) width = std::max(width, std::max(2u, bytes_of(c.to.register_type(v))));
  }
  if (width == 0) width = std::max(2u, bytes_of(t));
  const Type rt = register_type(width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool literal = store && !c.to.is_register(values[i]);
    x.registers[i] =
        store ? c.to.source(values[i], literal && width == bytes_of(t) ? t : rt) : c.to.destination(values[i], rt);
  }
  note_granule(c, x);
  const Handlers& h = c.to.handlers();
  if (!store && x.space == Space::param && x.base == no_register) {
    if (x.offset < 0 || static_cast<u64>(x.offset) + x.element_bytes * x.count > c.to.kernel().parameter_bytes) {
      throw Unsupported("load outside the parameters");
    }
    c.to.emit(h.load_parameter(x.element_bytes, width, x.is_signed)).extra = &x;
    return;
  }
  c.to.emit(store ? h.store(x.space, x.element_bytes, width, ordered)
                  : h.load(x.space, x.element_bytes, width, x.is_signed, ordered))
      .extra = &x;
}

void lower_atomic(Context& c) {
  const bool reduction = c.in.opcode == "red";
  const std::size_t at = reduction ? 0 : 1;
  need(c, at + 2);
  const Type t = c.m.type();
  c.m.take_memory_semantics();
  c.m.ignore({"noftz", "v2", "v4", "v8"});
  const Space space = c.m.take_space();
  auto& x = c.to.extra<AtomicExtra>();
  x.slot = c.to.kernel().access_slots++;
  x.operation = take_atomic(c);
  c.to.address(x, c.o[at], space);
  x.element_bytes = static_cast<u8>(bytes_of(t));
  if (c.o[at + 1].kind == Operand::Kind::vector) {
    const auto& parts = c.o[at + 1].parts;
    if (!reduction || parts.empty() || parts.size() > 8) throw Unsupported("vector shape");
    x.count = static_cast<u8>(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) x.registers[i] = c.to.source(parts[i], t);
  } else {
    x.operand = c.to.source(c.o[at + 1], t);
    if (x.operation == AtomicOp::cas) need(c, at + 3);
    x.second = x.operation == AtomicOp::cas ? c.to.source(c.o[at + 2], t) : x.operand;
  }
  if (!reduction && c.o[0].kind != Operand::Kind::sink) x.result = static_cast<s32>(c.to.destination(c.o[0], t));
  note_granule(c, x);
  if (is_float(t) && x.operation == AtomicOp::add) count_flops(c, t, x.count);
  c.to.emit(atomic_handler(t)).extra = &x;
}

void lower_async(Context& c) {
  if (!c.m.take("async")) throw Unsupported("form");
  if (c.m.take("commit_group")) {
    c.to.site().kind = InstructionClass::other;
    c.to.emit(run_commit_group);
  } else if (c.m.take("wait_all")) {
    c.to.site().kind = InstructionClass::other;
    c.to.emit(run_wait_group).imm = -1;
  } else if (c.m.take("wait_group")) {
    need(c, 1);
    c.to.site().kind = InstructionClass::other;
    c.to.emit(run_wait_group).imm = c.o[0].value;
  } else {
    copy_async(c);
  }
}

void lower_nothing(Context& c) {
  c.m.ignore({"cta", "gl", "gpu", "sys", "sc", "acq_rel", "acquire", "release", "cluster", "global", "local", "L1",
              "L2", "L2::evict_last", "L2::evict_normal", "L1::evict_normal", "uniform"});
  c.to.emit(run_nothing);
}

}  // namespace ridge::ptx
