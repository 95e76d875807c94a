// Module level: version and target, variables, functions with their parameters and performance directives.
#include <algorithm>

#include "kernels/ptx/text/parser.hpp"

namespace ridge::ptx {

Syntax Parser::module() {
  while (peek().kind != Token::Kind::end) module_statement();
  return std::move(module_);
}

void Parser::module_statement() {
  if (accept(';')) return;
  const int line = peek().line;
  if (is_word(".version")) {
    ++at_;
    module_.version = std::string(next().text);
    return;
  }
  if (is_word(".target")) {
    ++at_;
    module_.target = word("a target");
    return skip_line(line);
  }
  if (is_word(".address_size") || is_word(".loc")) return skip_line(line);
  if (is_word(".file")) {
    ++at_;
    const std::uint64_t number = integer("a file number");
    if (peek().kind != Token::Kind::string || number > 1u << 20) fail("expected a file name");
    module_.files[static_cast<int>(number)] = std::string(next().text);
    return skip_line(line);
  }
  if (is_word(".section")) {
    skip_past('{');
    return skip_past('}');
  }
  if (is_word(".pragma")) return skip_past(';');
  if (is_word(".alias")) {
    ++at_;
    std::string name = word("an alias");
    expect(',');
    module_.aliases[name] = word("the aliased function");
    return expect(';');
  }
  bool external = false;
  while (is_word(".extern") || is_word(".visible") || is_word(".weak") || is_word(".common")) {
    external |= next().text == ".extern";
  }
  if (is_word(".entry") || is_word(".func")) {
    const bool entry = next().text == ".entry";
    return function(entry, external);
  }
  for (const auto& [directive, space] : {std::pair{".global", Space::global}, std::pair{".const", Space::constant},
                                         std::pair{".shared", Space::shared}, std::pair{".local", Space::local}}) {
    if (!is_word(directive)) continue;
    ++at_;
    return variables(space, external, module_.variables);
  }
  fail("unknown statement");
}

void Parser::function(bool entry, bool external) {
  Function out;
  out.entry = entry;
  out.line = peek().line;
  while (is_directive()) {  // .attribute(…), .unique, .noreturn
    ++at_;
    if (accept('(')) skip_past(')');
  }
  if (is('(')) out.results = parameters();
  out.name = word("a function name");
  function_ = out.name;
  if (is('(')) out.parameters = parameters();
  function_directives(out);
  if (is('{')) {
    if (external) fail("an external function with a body");
    out.defined = true;
    body(out);
  } else {
    expect(';');
  }
  function_.clear();
  auto same = [&](const Function& f) { return f.name == out.name; };
  auto known = std::find_if(module_.functions.begin(), module_.functions.end(), same);
  if (known == module_.functions.end()) {
    module_.functions.push_back(std::move(out));
  } else if (!known->defined) {
    *known = std::move(out);
  } else if (out.defined) {
    throw ReadError(out.line, "function " + out.name + " defined twice");
  }
}

void Parser::function_directives(Function& function) {
  while (!is('{') && !is(';')) {
    if (peek().kind == Token::Kind::end) fail("function without body");
    const Token& token = next();
    const bool required = token.text == ".reqntid";
    if (!required && token.text != ".maxntid") continue;
    std::uint64_t size[3] = {1, 1, 1};
    for (int i = 0; i < 3 && peek().kind == Token::Kind::integer; ++i) {
      size[i] = std::min<std::uint64_t>(next().integer, 1024);
      accept(',');
    }
    function.max_threads = static_cast<std::uint32_t>(size[0] * size[1] * size[2]);
    for (int i = 0; required && i < 3; ++i) function.required[i] = static_cast<std::uint32_t>(size[i]);
  }
}

std::vector<Parameter> Parser::parameters() {
  std::vector<Parameter> out;
  expect('(');
  std::uint64_t offset = 0;
  while (!accept(')')) {
    if (accept(',')) continue;
    Parameter p = parameter();
    offset = (offset + p.align - 1) / p.align * p.align;
    p.offset = static_cast<std::uint32_t>(offset);
    offset += p.bytes;
    if (offset > 1u << 20) fail("parameters too large");
    out.push_back(std::move(p));
  }
  return out;
}

Parameter Parser::parameter() {
  Parameter out;
  std::uint64_t align = 0;
  bool pointer = false;
  while (is_directive()) {
    const std::string directive(next().text.substr(1));
    if (directive == "align") {
      const std::uint64_t value = integer("an alignment");
      if (!pointer) align = value;  // `.ptr .align n` speaks of what is pointed at
    } else if (directive == "ptr") {
      pointer = true;
    } else if (auto type = type_named(directive); type && !pointer) {
      out.type = *type;
    }
  }
  out.name = word("a parameter name");
  bool open = false;
  const std::uint64_t bytes = dimensions(1, open) * bytes_of(out.type);
  if (bytes > 1u << 16) fail("parameter too large");
  if (align > 1024 || (align & (align - 1)) != 0) fail("bad alignment");
  out.bytes = static_cast<std::uint32_t>(bytes);
  out.align = static_cast<std::uint32_t>(std::max<std::uint64_t>(align, bytes_of(out.type)));
  return out;
}

}  // namespace ridge::ptx
