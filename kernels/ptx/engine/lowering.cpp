// Walking the statements of a kernel: scopes, labels, declarations, instructions.
#include "kernels/ptx/engine/lowering.hpp"

#include <algorithm>

namespace ridge::ptx {
namespace {

constexpr std::size_t longest_kernel = 4u << 20;
constexpr u64 largest_space = u64{64} << 20;

}  // namespace

Lowering::Lowering(const Syntax& syntax, const Function& function, const Handlers& handlers, Kernel& kernel)
    : syntax_(syntax), function_(function), handlers_(handlers), kernel_(kernel) {}

void Lowering::run() {
  kernel_.name = function_.name;
  kernel_.parameters = function_.parameters;
  kernel_.max_threads = function_.max_threads;
  std::copy(std::begin(function_.required), std::end(function_.required), std::begin(kernel_.required));
  for (const auto& [number, name] : syntax_.files) {
    if (number < 0 || number > 4096) continue;
    if (kernel_.files.size() <= static_cast<std::size_t>(number))
      kernel_.files.resize(static_cast<std::size_t>(number) + 1);
    kernel_.files[static_cast<std::size_t>(number)] = name;
  }
  line_ = function_.line;
  try {
    scopes_.resize(3);  // module, parameters, body
    for (const Parameter& p : kernel_.parameters) {
      kernel_.parameter_bytes = std::max(kernel_.parameter_bytes, p.offset + p.bytes);
      Symbol s;
      s.kind = Symbol::Kind::param;
      s.type = p.type;
      s.offset = p.offset;
      scopes_[1].names[p.name] = s;
    }
    body(function_.body);
    Site end;
    end.where.line = line_;
    end.text = "end of kernel";
    end.counted = false;
    kernel_.sites.push_back(end);
    site_ = static_cast<u32>(kernel_.sites.size() - 1);
    guard_ = no_register;
    emit_flow(Flow::exit);
    finish();
  } catch (const ReadError&) {
    throw;
  } catch (const std::exception& e) {
    throw ReadError(line_, e.what(), function_.name);
  }
}

void Lowering::scan_labels(const std::vector<Statement>& statements, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < statements.size() && depth >= 0; ++i) {
    const Statement& s = statements[i];
    if (s.kind == Statement::Kind::open) ++depth;
    if (s.kind == Statement::Kind::close) --depth;
    if (s.kind != Statement::Kind::label || depth != 0) continue;
    Symbol label;
    label.kind = Symbol::Kind::label;
    label.offset = new_label();
    scopes_.back().names[s.name] = label;
  }
}

void Lowering::body(const std::vector<Statement>& statements) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const Statement& s = statements[i];
    line_ = s.where.line;
    switch (s.kind) {
      case Statement::Kind::open:
        scopes_.emplace_back();
        scan_labels(statements, i + 1);
        break;
      case Statement::Kind::close:
        scopes_.pop_back();
        break;
      case Statement::Kind::label:
        place_label(symbol(s.name).offset);
        break;
      case Statement::Kind::variable:
        declare(s.variable);
        break;
      case Statement::Kind::instruction:
        instruction(s);
        break;
      case Statement::Kind::targets: {
        Symbol table;
        table.kind = Symbol::Kind::table;
        table.offset = static_cast<u32>(kernel_.tables.size());
        std::vector<u32> labels;
        for (const std::string& name : s.targets) {
          const Symbol& label = symbol(name);
          if (label.kind != Symbol::Kind::label) throw Unsupported("branch target " + name + " is no label");
          labels.push_back(label.offset);
        }
        kernel_.tables.push_back(std::move(labels));
        scopes_.back().names[s.name] = table;
        break;
      }
    }
  }
}

void Lowering::declare(const Variable& v) {
  if (v.space == Space::reg) {
    if (v.count != 0) {
      scopes_.back().ranges.push_back({v.name, v.count, v.type});
    } else {
      scopes_.back().names[v.name] = make_register(v.type);
    }
    return;
  }
  Symbol s;
  s.type = v.type;
  s.kind = v.space == Space::shared ? Symbol::Kind::shared : Symbol::Kind::local;
  s.offset = v.space == Space::shared ? shared_space(v.bytes, v.align) : local_space(v.bytes, v.align);
  scopes_.back().names[v.name] = s;
}

void Lowering::instruction(const Statement& s) {
  const Instruction& in = s.instruction;
  const OpcodeEntry* entry = opcode_entry(in.opcode);
  auto refuse = [&](const std::string& why) {
    return ReadError(s.where.line, "instruction '" + in.text + "': " + why, function_.name);
  };
  if (!entry) throw refuse("unknown");
  Site site;
  site.where = s.where;
  site.text = in.text;
  for (std::size_t i = 0; i < in.operands.size(); ++i) {
    if (!in.operands[i].name.empty()) site.text += (i ? ", " : " ") + in.operands[i].name;
  }
  site.kind = entry->kind;
  kernel_.sites.push_back(std::move(site));
  site_ = static_cast<u32>(kernel_.sites.size() - 1);
  guard_ = no_register;
  if (kernel_.code.size() > longest_kernel) throw refuse("the kernel with its inlined calls is too long");
  try {
    if (!in.guard.empty()) {
      const Symbol& guard = symbol(in.guard);
      if (guard.kind != Symbol::Kind::reg || guard.type != Type::pred) throw Unsupported("guard is no predicate");
      guard_ = static_cast<s32>(guard.offset);
      guard_inverted_ = in.guard_inverted;
    }
    Context c{*this, in, Modifiers(in.modifiers), in.operands};
    entry->lower(c);
    if (const std::string extra_modifier = c.m.unused(); !extra_modifier.empty()) {
      throw Unsupported("modifier '." + extra_modifier + "' is not supported");
    }
  } catch (const ReadError&) {
    throw;
  } catch (const std::exception& e) {
    throw refuse(e.what());
  }
}

Op& Lowering::emit(Handler handler) {
  if (!handler) throw Unsupported("not supported for this type");
  return emit_flow(Flow::straight, handler);
}

Op& Lowering::emit_flow(Flow flow, Handler handler) {
  Op op;
  op.run = handler;
  op.flow = flow;
  op.site = site_;
  op.guard = guard_;
  op.guard_inverted = guard_inverted_;
  kernel_.code.push_back(op);
  return kernel_.code.back();
}

void Lowering::hide_rest() {
  Site hidden = site();
  hidden.counted = false;
  kernel_.sites.push_back(std::move(hidden));
  site_ = static_cast<u32>(kernel_.sites.size() - 1);
}

Op& Lowering::unary(Unary u, Type t, const Operand& d, const Operand& a) {
  const u32 from = source(a, t), to = destination(d, t);
  Op& op = emit(handlers_.unary(u, t));
  op.dst = to;
  op.a = from;
  return op;
}

void Lowering::in_place(Unary u, Type t, u32 offset) {
  hide_rest();
  Op& op = emit(handlers_.unary(u, t));
  op.dst = op.a = offset;
}

u32 Lowering::local_space(u64 bytes, u64 align) {
  const u64 at = (kernel_.local_bytes + align - 1) / align * align;
  if (at + bytes > largest_space) throw Unsupported("too much local memory");
  kernel_.local_bytes = static_cast<u32>(at + bytes);
  return static_cast<u32>(at);
}

u32 Lowering::shared_space(u64 bytes, u64 align) {
  const u64 at = (kernel_.shared_bytes + align - 1) / align * align;
  if (at + bytes > largest_space) throw Unsupported("too much shared memory");
  kernel_.shared_bytes = static_cast<u32>(at + bytes);
  return static_cast<u32>(at);
}

u32 Lowering::new_label() {
  label_at_.push_back(-1);
  return static_cast<u32>(label_at_.size() - 1);
}

void Lowering::finish() {
  auto resolved = [&](u32 label) {
    if (label_at_[label] < 0) throw Unsupported("branch to a label that is not there");
    return static_cast<u32>(label_at_[label]);
  };
  for (Op& op : kernel_.code) {
    if (op.flow == Flow::branch) op.target = resolved(op.target);
  }
  for (auto& table : kernel_.tables) {
    for (u32& label : table) label = resolved(label);
  }
}

std::unique_ptr<Kernel> decode_kernel(const Syntax& syntax, const Function& function, const Handlers& handlers) {
  auto kernel = std::make_unique<Kernel>();
  Lowering(syntax, function, handlers, *kernel).run();
  return kernel;
}

void need(const Lowering::Context& c, std::size_t operands) {
  if (c.o.size() < operands) throw Unsupported("too few operands");
}

}  // namespace ridge::ptx
