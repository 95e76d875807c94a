// The parser's small tools: expecting, skipping, failing.
#include "kernels/ptx/text/parser.hpp"

#include <algorithm>

namespace ridge::ptx {

void Parser::fail(const std::string& message) const {
  const Token& token = peek();
  const std::string near = token.kind == Token::Kind::end ? "the end" : "'" + std::string(token.text) + "'";
  throw ReadError(token.line, message + " near " + near, function_);
}

void Parser::expect(char mark) {
  if (!accept(mark)) fail(std::string("expected '") + mark + "'");
}

std::string Parser::word(const char* what) {
  if (peek().kind != Token::Kind::word) fail(std::string("expected ") + what);
  return std::string(next().text);
}

std::uint64_t Parser::integer(const char* what) {
  if (peek().kind != Token::Kind::integer) fail(std::string("expected ") + what);
  return next().integer;
}

void Parser::skip_line(int line) {
  while (peek().kind != Token::Kind::end && peek().line == line) ++at_;
}

void Parser::skip_past(char mark) {
  while (!is(mark)) {
    if (peek().kind == Token::Kind::end) fail(std::string("missing '") + mark + "'");
    ++at_;
  }
  ++at_;
}

Statement Parser::statement(Statement::Kind kind) const {
  Statement out;
  out.kind = kind;
  out.where = location_;
  out.where.line = peek().line;
  return out;
}

Syntax read_syntax(const std::string& text) {
  return Parser(text).module();
}

std::string_view name_of(Space space) {
  constexpr std::string_view names[] = {"generic", "global", "constant", "parameter", "shared", "local", "register"};
  return names[static_cast<std::size_t>(space)];
}

}  // namespace ridge::ptx
