// Operands: registers, literals, symbols with offsets, vectors, addresses, and the lists of a call.
#include "kernels/ptx/text/parser.hpp"

namespace ridge::ptx {
namespace {

constexpr int deepest_operand = 8;

}  // namespace

std::int64_t Parser::signed_integer() {
  std::uint64_t negative = 0;
  while (is('+') || is('-')) negative ^= next().text == "-";
  const std::uint64_t value = integer("an integer");
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

Operand Parser::sequence(Operand::Kind kind, char close, int depth) {
  Operand out;
  out.kind = kind;
  ++at_;
  while (!accept(close)) {
    if (!accept(',')) out.parts.push_back(operand(depth + 1));
    if (out.parts.size() > 64) fail("too many elements");
  }
  return out;
}

Operand Parser::address(int depth) {
  Operand out;
  out.kind = Operand::Kind::address;
  ++at_;
  out.parts.push_back(operand(depth + 1));
  out.value = out.parts[0].value;
  if (out.parts[0].kind == Operand::Kind::name) out.parts[0].value = 0;
  while (is('+') || is('-')) {
    out.value =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(out.value) + static_cast<std::uint64_t>(signed_integer()));
  }
  if (!accept(']')) fail("address of a form that is not supported");
  return out;
}

Operand Parser::operand(int depth) {
  if (depth > deepest_operand) fail("operand nested too deeply");
  if (is('{')) return sequence(Operand::Kind::vector, '}', depth);
  if (is('[')) return address(depth);
  if (is('(')) return sequence(Operand::Kind::list, ')', depth);
  if (accept('!')) {
    Operand out = operand(depth + 1);
    out.inverted = !out.inverted;
    return out;
  }
  Operand out = primary(depth);
  if (accept('|')) out.parts.push_back(operand(depth + 1));
  return out;
}

Operand Parser::primary(int depth) {
  Operand out;
  if (accept('-')) {
    out = operand(depth + 1);
    if (out.kind == Operand::Kind::real) {
      out.negative = !out.negative;
    } else if (out.kind == Operand::Kind::integer) {
      out.value = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(out.value));
    } else {
      fail("only a literal can be negated");
    }
    return out;
  }
  const Token::Kind kind = peek().kind;
  if (kind != Token::Kind::integer && kind != Token::Kind::real && kind != Token::Kind::word) fail("bad operand");
  const Token& token = next();
  if (kind == Token::Kind::integer) {
    out.kind = Operand::Kind::integer;
    out.value = static_cast<std::int64_t>(token.integer);
  } else if (kind == Token::Kind::real) {
    out.kind = Operand::Kind::real;
    out.bits = token.bits;
    out.real_bytes = token.real_bytes;
  } else {
    out.kind = token.text == "_" ? Operand::Kind::sink : Operand::Kind::name;
    out.name = std::string(token.text);
    if (is('+')) out.value = signed_integer();
  }
  return out;
}

}  // namespace ridge::ptx
