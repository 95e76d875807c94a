// Function bodies: scopes, labels, declarations, `.loc`, branch tables and instructions.
#include <algorithm>

#include "kernels/ptx/text/parser.hpp"

namespace ridge::ptx {
namespace {

constexpr int deepest_scope = 64;

}  // namespace

void Parser::body(Function& function) {
  location_ = {};
  int depth = 0;
  do {
    if (peek().kind == Token::Kind::end) fail("function without end");
    if (accept(';')) continue;
    if (is('{') || is('}')) {
      depth += is('{') ? 1 : -1;
      if (depth > deepest_scope) fail("scopes nested too deeply");
      function.body.push_back(statement(is('{') ? Statement::Kind::open : Statement::Kind::close));
      ++at_;
    } else if (peek().kind == Token::Kind::word && is(':', 1)) {
      Statement label = statement(Statement::Kind::label);
      label.name = word("a label");
      ++at_;
      if (is_word(".branchtargets")) {
        ++at_;
        label.kind = Statement::Kind::targets;
        do label.targets.push_back(word("a branch target"));
        while (accept(','));
        expect(';');
      } else if (is_word(".callprototype") || is_word(".calltargets")) {
        skip_past(';');
        continue;
      }
      function.body.push_back(std::move(label));
    } else if (is_directive()) {
      body_directive(function.body);
    } else {
      Statement out = statement(Statement::Kind::instruction);
      out.instruction = instruction();
      function.body.push_back(std::move(out));
    }
  } while (depth > 0);
}

void Parser::body_directive(std::vector<Statement>& out) {
  if (is_word(".loc")) {
    if (peek(1).kind != Token::Kind::integer || peek(2).kind != Token::Kind::integer) fail("bad .loc");
    location_.file = static_cast<int>(std::min<std::uint64_t>(peek(1).integer, 1u << 20));
    location_.source_line = static_cast<int>(std::min<std::uint64_t>(peek(2).integer, 1u << 30));
    return skip_line(peek().line);
  }
  if (is_word(".pragma")) return skip_past(';');
  if (is_word(".reg")) return registers(out);
  for (const auto& [directive, space] :
       {std::pair{".shared", Space::shared}, std::pair{".local", Space::local}, std::pair{".param", Space::param}}) {
    if (!is_word(directive)) continue;
    ++at_;
    Statement declaration = statement(Statement::Kind::variable);
    std::vector<Variable> declared;
    variables(space, false, declared);
    for (Variable& v : declared) {
      declaration.variable = std::move(v);
      out.push_back(declaration);
    }
    return;
  }
  fail("unknown directive");
}

void Parser::registers(std::vector<Statement>& out) {
  ++at_;
  Statement declaration = statement(Statement::Kind::variable);
  Variable& v = declaration.variable;
  v.space = Space::reg;
  while (is_directive()) {
    auto type = type_named(next().text.substr(1));
    if (!type) fail("unknown register type");
    v.type = *type;
  }
  do {
    v.name = word("a register name");
    v.count = 0;
    if (accept('<')) {
      v.count = integer("a register count");
      if (v.count > 1u << 24) fail("too many registers");
      expect('>');
    }
    out.push_back(declaration);
  } while (accept(','));
  expect(';');
}

Instruction Parser::instruction() {
  Instruction out;
  if (accept('@')) {
    out.guard_inverted = accept('!');
    out.guard = word("a guard predicate");
  }
  out.text = word("an instruction");
  std::size_t from = 0;
  for (std::size_t dot = 0; dot != std::string::npos; from = dot + 1) {
    dot = out.text.find('.', from);
    const std::string part = out.text.substr(from, dot == std::string::npos ? dot : dot - from);
    if (from == 0) {
      out.opcode = part;
    } else {
      out.modifiers.push_back(part);
    }
  }
  if (!is(';')) {
    do out.operands.push_back(operand());
    while (accept(','));
  }
  expect(';');
  return out;
}

}  // namespace ridge::ptx
