// Calls: the body of the called function is decoded in place, once per call; its parameters are names for the caller's.
#include <algorithm>

#include "kernels/ptx/engine/lowering.hpp"

namespace ridge::ptx {

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

}  // namespace ridge::ptx
