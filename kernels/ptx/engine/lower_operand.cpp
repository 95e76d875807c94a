// Operands become offsets into the register file of a warp; literals and addresses become constant registers.
#include <algorithm>

#include "kernels/ptx/arith/convert.hpp"
#include "kernels/ptx/engine/lowering.hpp"

namespace ridge::ptx {
namespace {

constexpr u64 most_registers = u64{1} << 24;

/// Registers narrower than 16 bits take 16.
unsigned register_bytes(Type t) {
  return std::max(2u, bytes_of(t));
}

u64 literal(const Operand& o, Type t) {
  if (o.kind == Operand::Kind::integer) {
    if (t == Type::f32) return bits(static_cast<float>(o.value));
    if (t == Type::f64) return bits(static_cast<double>(o.value));
    return static_cast<u64>(o.value);
  }
  const unsigned width = bytes_of(t);
  if (!o.negative && o.real_bytes == width) return o.bits;
  const double wide_value = o.real_bytes == 4 ? as_float(static_cast<u32>(o.bits)) : as_double(o.bits);
  const double value = o.negative ? -wide_value : wide_value;
  if (t == Type::f16 || t == Type::bf16) return bits_from(value, t);
  return width == 4 ? bits(static_cast<float>(value)) : bits(value);
}

}  // namespace

u32 Lowering::new_register(unsigned bytes) {
  const u64 size = (u64{bytes} * 32 + 63) / 64 * 64;
  if (kernel_.register_bytes + size > most_registers) throw Unsupported("too many registers");
  const u32 at = kernel_.register_bytes;
  kernel_.register_bytes += static_cast<u32>(size);
  return at;
}

u32 Lowering::new_predicate() {
  if (predicates_used_ == 16) {
    predicate_block_ = new_register(2);
    predicates_used_ = 0;
  }
  return predicate_block_ + 4 * predicates_used_++;
}

Symbol Lowering::make_register(Type type) {
  Symbol s;
  s.type = type;
  s.offset = type == Type::pred ? new_predicate() : new_register(register_bytes(type));
  if (type != Type::pred) kernel_.register_count += (bytes_of(type) + 3) / 4;
  return s;
}

u32 Lowering::constant(unsigned bytes, u64 value) {
  bytes = std::max(2u, bytes);
  if (bytes < 8) value &= (u64{1} << (8 * bytes)) - 1;
  if (bytes > 8) throw Unsupported("128-bit literal");
  const auto key = std::make_pair(bytes, value);
  if (auto it = constants_.find(key); it != constants_.end()) return it->second;
  ConstantRegister c;
  c.offset = new_register(bytes);
  c.bytes = bytes;
  c.value = value;
  kernel_.constants.push_back(c);
  return constants_[key] = c.offset;
}

const Symbol* Lowering::module_symbol(const std::string& name) {
  const auto v = std::find_if(syntax_.variables.begin(), syntax_.variables.end(),
                              [&](const Variable& each) { return each.name == name; });
  if (v == syntax_.variables.end()) return nullptr;
  Symbol s;
  s.type = v->type;
  s.name = name;
  if (v->space == Space::shared) {
    const bool dynamic = v->external || v->bytes == 0;
    s.kind = dynamic ? Symbol::Kind::dynamic_shared : Symbol::Kind::shared;
    if (!dynamic) s.offset = shared_space(v->bytes, v->align);
  } else {
    s.kind = Symbol::Kind::global;
  }
  return &(scopes_[0].names[name] = s);
}

const Symbol* Lowering::find(const std::string& name) {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    Scope& scope = scopes_[i];
    if (auto it = scope.names.find(name); it != scope.names.end()) return &it->second;
    std::size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
    if (digits == name.size() || name.size() - digits > 8) continue;
    for (const Scope::Range& range : scope.ranges) {
      if (name.compare(0, digits, range.prefix) != 0) continue;
      if (std::stoul(name.substr(digits)) >= range.count) continue;
      return &(scope.names[name] = make_register(range.type));
    }
  }
  return module_symbol(name);
}

const Symbol& Lowering::symbol(const std::string& name) {
  const Symbol* s = find(name);
  if (!s) throw Unsupported("unknown name " + name);
  return *s;
}

bool Lowering::is_register(const Operand& o) {
  if (o.kind != Operand::Kind::name) return false;
  const Symbol* s = find(o.name);
  return s && s->kind == Symbol::Kind::reg;
}

Type Lowering::register_type(const Operand& o) {
  return symbol(o.name).type;
}

u32 Lowering::symbol_address(const Symbol& s, s64 addend, unsigned bytes) {
  switch (s.kind) {
    case Symbol::Kind::shared:
    case Symbol::Kind::local:
      return constant(bytes, s.offset + static_cast<u64>(addend));
    case Symbol::Kind::param:
      return constant(bytes, param_window + s.offset + static_cast<u64>(addend));
    case Symbol::Kind::dynamic_shared:
    case Symbol::Kind::global: {
      ConstantRegister c;
      c.offset = new_register(bytes);
      c.bytes = bytes;
      c.value = static_cast<u64>(addend);
      c.kind = s.kind == Symbol::Kind::global ? ConstantRegister::Kind::symbol : ConstantRegister::Kind::dynamic_shared;
      c.symbol = s.name;
      kernel_.constants.push_back(c);
      return c.offset;
    }
    default:
      throw Unsupported("address of something that has none");
  }
}

u32 Lowering::source(const Operand& o, Type t) {
  const unsigned bytes = register_bytes(t);
  switch (o.kind) {
    case Operand::Kind::integer:
    case Operand::Kind::real:
      return constant(bytes, literal(o, t));
    case Operand::Kind::name:
      break;
    default:
      throw Unsupported("bad source operand");
  }
  const Symbol* s = find(o.name);
  if (!s) return special(o.name, bytes);
  if (s->kind != Symbol::Kind::reg) return symbol_address(*s, o.value, bytes);
  if (s->type == Type::pred || register_bytes(s->type) != bytes) throw Unsupported("size of operand " + o.name);
  return s->offset;
}

u32 Lowering::destination(const Operand& o, Type t) {
  if (o.kind == Operand::Kind::sink) return t == Type::pred ? new_predicate() : new_register(register_bytes(t));
  if (!is_register(o)) throw Unsupported("destination is no register");
  const Symbol& s = symbol(o.name);
  if ((t == Type::pred) != (s.type == Type::pred)) throw Unsupported("kind of destination " + o.name);
  if (t != Type::pred && register_bytes(s.type) != register_bytes(t))
    throw Unsupported("size of destination " + o.name);
  return s.offset;
}

u32 Lowering::predicate(const Operand& o) {
  if (o.kind == Operand::Kind::integer) return constant(4, o.value ? ~u64{0} : 0);
  if (!is_register(o) || register_type(o) != Type::pred) throw Unsupported("operand is no predicate");
  return symbol(o.name).offset;
}

u32 Lowering::any_source(const Operand& o, Type t, unsigned& bytes) {
  bytes = register_bytes(is_register(o) ? register_type(o) : t);
  if (!is_register(o)) return source(o, t);
  if (register_type(o) == Type::pred) throw Unsupported("predicate as a value");
  return symbol(o.name).offset;
}

u32 Lowering::any_destination(const Operand& o, Type t, unsigned& bytes) {
  bytes = register_bytes(is_register(o) ? register_type(o) : t);
  if (!is_register(o)) return destination(o, t);
  if (register_type(o) == Type::pred) throw Unsupported("predicate as a value");
  return symbol(o.name).offset;
}

Access& Lowering::new_access() {
  Access& x = extra<Access>();
  x.slot = kernel_.access_slots++;
  return x;
}

void Lowering::address(Access& x, const Operand& o, Space space) {
  if (o.kind != Operand::Kind::address || o.parts.size() != 1) throw Unsupported("operand is no address");
  const Operand& base = o.parts[0];
  x.space = space;
  x.offset = o.value;
  if (base.kind == Operand::Kind::integer) return;
  if (base.kind != Operand::Kind::name) throw Unsupported("address operand");
  const Symbol* s = find(base.name);
  if (!s) {
    x.base = static_cast<s32>(special(base.name, 4));
    x.wide_base = false;
    return;
  }
  const u64 window = space != Space::generic ? 0 : s->kind == Symbol::Kind::local ? local_window : shared_window;
  switch (s->kind) {
    case Symbol::Kind::reg:
      if (bytes_of(s->type) != 4 && bytes_of(s->type) != 8) throw Unsupported("size of address register");
      x.base = static_cast<s32>(s->offset);
      x.wide_base = bytes_of(s->type) == 8;
      return;
    case Symbol::Kind::param:
      x.offset += s->offset;
      return;
    case Symbol::Kind::local:
      if (space == Space::param) x.space = Space::local;
      x.offset = static_cast<s64>(static_cast<u64>(x.offset) + s->offset + window);
      return;
    case Symbol::Kind::shared:
      x.offset = static_cast<s64>(static_cast<u64>(x.offset) + s->offset + window);
      return;
    default:
      x.base = static_cast<s32>(symbol_address(*s, 0, 8));
      x.wide_base = true;
      if (s->kind == Symbol::Kind::dynamic_shared) x.offset = static_cast<s64>(static_cast<u64>(x.offset) + window);
  }
}

}  // namespace ridge::ptx
