// The parser's working state: a cursor over tokens and one function per construct.
#pragma once

#include <algorithm>

#include <string>
#include <vector>

#include "kernels/ptx/text/error.hpp"
#include "kernels/ptx/text/lexer.hpp"
#include "kernels/ptx/text/syntax.hpp"

namespace ridge::ptx {

class Parser {
 public:
  explicit Parser(const std::string& text) : tokens_(tokens_of(text)) {}
  Syntax module();

 private:
  // parse_module.cpp
  void module_statement();
  void function(bool entry, bool external);
  void function_directives(Function& function);
  std::vector<Parameter> parameters();
  Parameter parameter();

  // parse_variable.cpp
  void variables(Space space, bool external, std::vector<Variable>& out);
  std::uint64_t dimensions(std::uint64_t count, bool& open);
  void initialiser(Variable& variable);
  void initial_value(Variable& variable, std::uint64_t& offset);

  // parse_body.cpp
  void body(Function& function);
  void body_directive(std::vector<Statement>& out);
  void registers(std::vector<Statement>& out);
  Instruction instruction();

  // parse_operand.cpp
  Operand operand(int depth = 0);
  Operand primary(int depth);
  Operand address(int depth);
  Operand sequence(Operand::Kind kind, char close, int depth);
  std::int64_t signed_integer();

  const Token& peek(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  const Token& next() {
    const Token& token = peek();
    if (token.kind != Token::Kind::end) ++at_;
    return token;
  }
  bool is(char mark, std::size_t ahead = 0) const {
    return peek(ahead).kind == Token::Kind::mark && peek(ahead).text[0] == mark;
  }
  bool is_word(std::string_view word) const { return peek().kind == Token::Kind::word && peek().text == word; }
  bool is_directive() const { return peek().kind == Token::Kind::word && peek().text[0] == '.'; }
  bool accept(char mark) {
    if (!is(mark)) return false;
    ++at_;
    return true;
  }
  void expect(char mark);
  std::string word(const char* what);
  std::uint64_t integer(const char* what);
  void skip_line(int line);
  void skip_past(char mark);
  [[noreturn]] void fail(const std::string& message) const;
  Statement statement(Statement::Kind kind) const;

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  Syntax module_;
  std::string function_;
  Location location_;
};

}  // namespace ridge::ptx
