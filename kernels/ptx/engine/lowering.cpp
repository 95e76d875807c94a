// Walking the statements of a kernel: scopes, labels, declarations, inlined calls.
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

void Lowering::inline_call(const Function& callee, const std::vector<std::string>& results,
                           const std::vector<std::string>& arguments) {
  if (std::find(inlining_.begin(), inlining_.end(), callee.name) != inlining_.end()) {
    throw Unsupported("recursive call of " + callee.name);
  }
  Scope bound;
  auto bind = [&](const std::vector<Parameter>& formal, const std::vector<std::string>& actual) {
    if (formal.size() != actual.size())
      throw Unsupported("call of " + callee.name + " with a wrong number of arguments");
    for (std::size_t i = 0; i < formal.size(); ++i) {
      const Symbol& s = symbol(actual[i]);
      if (s.kind != Symbol::Kind::local && s.kind != Symbol::Kind::reg) throw Unsupported("call argument " + actual[i]);
      bound.names[formal[i].name] = s;
    }
  };
  bind(callee.results, results);
  bind(callee.parameters, arguments);
  std::vector<Scope> outer;
  outer.swap(scopes_);
  scopes_.push_back(outer[0]);
  scopes_.push_back(std::move(bound));
  const u32 behind = new_label();
  return_labels_.push_back(behind);
  inlining_.push_back(callee.name);
  const s32 guard = guard_;
  const u32 calling_site = site_;
  body(callee.body);
  inlining_.pop_back();
  return_labels_.pop_back();
  outer[0] = scopes_[0];
  scopes_.swap(outer);
  guard_ = guard;
  site_ = calling_site;
  place_label(behind);
}

void Lowering::call(const Context& c) {
  std::vector<std::string> results, arguments;
  std::size_t i = 0;
  auto names = [&](std::vector<std::string>& out) {
    for (const Operand& o : c.o[i].parts) out.push_back(o.name);
    ++i;
  };
  if (i < c.o.size() && c.o[i].kind == Operand::Kind::list) names(results);
  if (i >= c.o.size() || c.o[i].kind != Operand::Kind::name) throw Unsupported("call of no function");
  std::string name = c.o[i++].name;
  if (i < c.o.size() && c.o[i].kind == Operand::Kind::list) names(arguments);
  if (i != c.o.size()) throw Unsupported("indirect call");
  if (auto alias = syntax_.aliases.find(name); alias != syntax_.aliases.end()) name = alias->second;
  const auto callee = std::find_if(syntax_.functions.begin(), syntax_.functions.end(),
                                   [&](const Function& f) { return f.name == name; });
  if (callee == syntax_.functions.end()) throw Unsupported("indirect call through " + name);
  if (name == "__assertfail" && !callee->defined) {
    site().text = "device assertion failed";
    emit_flow(Flow::trap);
    return;
  }
  if (!callee->defined) throw Unsupported("call of " + name + ", which has no body here");
  // A guarded call is a branch around the inlined body.
  if (guard_ == no_register) return inline_call(*callee, results, arguments);
  const u32 behind = new_label();
  Op& skip = emit_flow(Flow::branch);
  skip.guard_inverted = !skip.guard_inverted;
  skip.target = behind;
  guard_ = no_register;
  inline_call(*callee, results, arguments);
  place_label(behind);
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
