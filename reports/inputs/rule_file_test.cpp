// What a rule file may hold before its tables are looked at.
#include "reports/inputs/rule_file.hpp"

#include <catch2/catch.hpp>

using namespace ridge;
using namespace std::string_view_literals;

namespace {

std::string refusal(std::string_view text) {
  try {
    inputs::read_rules(text, "gate.toml");
  } catch (const compare::RuleError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("letters beyond ASCII stand in lines of comment only, and in strings as escapes") {
  const std::string why = "gate.toml:2: ASCII only, but for lines of comment; write \\u00e9 for \xC3\xA9 in a string";
  CHECK(refusal("[defaults]\n\xC3\xA9 = 1\n") == why);
  CHECK(refusal("# caf\xC3\xA9\n\xCE\xB1 = 1\n") == why);
  CHECK(refusal("[[rule]]\nmatch = \"caf\xC3\xA9\"\n") == why);
  CHECK(refusal("[defaults]\ntolerance = \"5 %\" # \xC3\xA9\n") == why);
  CHECK(refusal("\t # caf\xC3\xA9\n[defaults]\ntolerance = \"5 %\"\n").empty());
  CHECK(refusal("\xEF\xBB\xBF[defaults]\ntolerance = \"5 %\"\r\n").empty());
  CHECK(refusal("[[rule]]\nmatch = \"caf\\u00e9\"\ntolerance = \"5 %\"\n").empty());
}

TEST_CASE("control characters are refused with their line, a backslash before them or not") {
  CHECK(refusal("[defaults]\n\0"sv) == "gate.toml:2: control character 0x00");
  CHECK(refusal("[defaults]\n# \x1B[31m\n") == "gate.toml:2: control character 0x1b");
  CHECK(refusal("[defaults]\ntolerance = \"\\\x01\"\n") == "gate.toml:2: control character 0x01");
  CHECK(refusal("\x7F") == "gate.toml:1: control character 0x7f");
}
