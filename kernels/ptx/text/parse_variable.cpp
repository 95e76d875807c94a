// Variables in state spaces: alignment, vector and array sizes, initial values with addresses of other variables.
#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/ptx/text/parser.hpp"

namespace ridge::ptx {
namespace {

constexpr std::uint64_t largest_variable = std::uint64_t{1} << 32;

}  // namespace

std::uint64_t Parser::dimensions(std::uint64_t count, bool& open) {
  while (accept('[')) {
    if (accept(']')) {
      open = true;
      continue;
    }
    const std::uint64_t n = integer("an array size");
    if (n != 0 && count > largest_variable / n) fail("array too large");
    count *= n;
    expect(']');
  }
  return count;
}

void Parser::variables(Space space, bool external, std::vector<Variable>& out) {
  std::uint64_t align = 0, lanes = 1;
  Type type = Type::b8;
  while (is_directive()) {
    const std::string directive(next().text.substr(1));
    if (directive == "align") {
      align = integer("an alignment");
      if (align == 0 || align > 1u << 20 || (align & (align - 1)) != 0) fail("bad alignment");
    } else if (directive == "v2" || directive == "v4") {
      lanes = directive == "v2" ? 2 : 4;
    } else if (directive == "attribute") {
      skip_past(')');
    } else if (auto known = type_named(directive)) {
      type = *known;
    } else {
      fail("unknown variable directive ." + directive);
    }
  }
  do {
    Variable v;
    v.space = space;
    v.type = type;
    v.external = external;
    v.name = word("a variable name");
    v.align = std::max<std::uint64_t>(align, bytes_of(type) * lanes);
    bool open = false;
    const std::uint64_t count = dimensions(lanes, open);
    if (count > largest_variable / bytes_of(type)) fail("variable too large");
    if (accept('=')) initialiser(v);
    v.bytes = open ? v.initial.size() : count * bytes_of(type);
    if (v.initial.size() > v.bytes) fail("initial value longer than the variable");
    out.push_back(std::move(v));
  } while (accept(','));
  expect(';');
}

void Parser::initialiser(Variable& variable) {
  std::uint64_t offset = 0;
  if (!is('{')) return initial_value(variable, offset);
  int depth = 0;
  do {
    if (accept('{')) {
      ++depth;
    } else if (accept('}')) {
      --depth;
    } else if (!accept(',')) {
      initial_value(variable, offset);
    }
  } while (depth > 0);
}

void Parser::initial_value(Variable& variable, std::uint64_t& offset) {
  const unsigned bytes = bytes_of(variable.type);
  if (bytes > 8) fail("initial value of this type");
  std::uint64_t value = 0;
  if (peek().kind == Token::Kind::word) {  // symbol, symbol+n, generic(symbol)+n
    std::string name = word("a symbol");
    const bool generic = name == "generic" && accept('(');
    if (generic) name = word("a symbol");
    if (generic) expect(')');
    std::int64_t addend = 0;
    if (is('+') || is('-')) addend = signed_integer();
    if (bytes != 8) fail("an address needs 64 bits");
    variable.pointers.push_back({offset, name, addend});
  } else {
    const bool negative = accept('-');
    const Token& token = next();
    if (token.kind == Token::Kind::real) {
      const double wide = token.real_bytes == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(token.bits))
                                                : std::bit_cast<double>(token.bits);
      const double real = negative ? -wide : wide;
      value = bytes == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(real)) : std::bit_cast<std::uint64_t>(real);
      if (bytes < 4) fail("real initial value of this type");
    } else if (token.kind == Token::Kind::integer) {
      value = negative ? 0 - token.integer : token.integer;
    } else {
      fail("bad initial value");
    }
  }
  if (offset + bytes > std::uint64_t{1} << 26) fail("initial value too long");
  variable.initial.resize(offset + bytes);
  std::memcpy(variable.initial.data() + offset, &value, bytes);
  offset += bytes;
}

}  // namespace ridge::ptx
