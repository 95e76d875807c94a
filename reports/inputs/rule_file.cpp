// Reads tables key by key, so that every key is either taken or refused.
#include "reports/inputs/rule_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <initializer_list>

#include "reports/record/text.hpp"

namespace ridge::inputs {
namespace {

using compare::Rule;
using compare::RuleError;
using compare::Rules;

class Reader {
 public:
  explicit Reader(const std::string& name) : name_(record::printable(name)) {}

  [[nodiscard]] std::string where(const toml::node& node) const {
    return fmt::format("{}:{}", name_, node.source().begin.line);
  }
  [[noreturn]] void refuse(const toml::node& node, const std::string& what) const {
    throw RuleError(fmt::format("{}: {}", where(node), what));
  }
  void known(const toml::table& table, std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, node] : table)
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end())
        refuse(node,
               fmt::format("unknown key '{}'; known are {}", record::printable(key.str()), fmt::join(keys, ", ")));
  }
  std::string text(const toml::table& table, std::string_view key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) refuse(table, fmt::format("'{}' is missing", key));
    const auto value = node->value_exact<std::string>();
    if (!value || value->empty()) refuse(*node, fmt::format("'{}' must be text", key));
    return *value;
  }
  std::optional<double> share(const toml::table& table, std::string_view key, double most) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    if (const auto spelled = node->value_exact<std::string>())
      if (const auto read = compare::quantity(*spelled); read && (read->unit.empty() || read->unit == "%"))
        value = read->unit == "%" ? read->value / 100 : read->value;
    if (!value || !(*value > 0) || *value > most)
      refuse(*node, fmt::format("'{}' must be a number above 0 and at most {}, such as 0.05 or \"5 %\"", key, most));
    return value;
  }
  std::optional<record::Better> better(const toml::table& table) const {
    const toml::node* node = table.get("better");
    if (node == nullptr) return std::nullopt;
    const auto value = record::better_from(node->value_or(std::string_view()));
    if (!value || *value == record::Better::neither) refuse(*node, "'better' must be \"higher\" or \"lower\"");
    return value;
  }

 private:
  std::string name_;
};

void read_defaults(const Reader& reader, const toml::table& table, Rules& rules) {
  reader.known(table, {"tolerance", "noise_factor", "implausible", "false_alarms"});
  rules.tolerance = reader.share(table, "tolerance", 10);
  rules.noise_factor = reader.share(table, "noise_factor", 1000);
  rules.implausible = reader.share(table, "implausible", 1e9);
  rules.false_alarms = reader.share(table, "false_alarms", 0.5);
}

Rule read_rule(const Reader& reader, const toml::table& table) {
  reader.known(table, {"match", "tolerance", "floor", "better", "gated", "reason"});
  Rule rule;
  rule.where = reader.where(table);
  rule.pattern = reader.text(table, "match");
  rule.tolerance = reader.share(table, "tolerance", 10);
  rule.better = reader.better(table);
  if (const toml::node* node = table.get("floor")) {
    if (const auto number = node->is_number() ? node->value<double>() : std::nullopt)
      rule.floor = compare::Quantity{*number, ""};
    else if (const auto spelled = node->value_exact<std::string>())
      rule.floor = compare::quantity(*spelled);
    if (!rule.floor || !(rule.floor->value >= 0)) reader.refuse(*node, "'floor' must be a quantity such as \"2 us\"");
  }
  if (const toml::node* node = table.get("gated")) {
    rule.gated = node->value_exact<bool>();
    if (!rule.gated) reader.refuse(*node, "'gated' must be true or false");
    if (!*rule.gated && !table.contains("reason")) reader.refuse(*node, "gated = false needs a reason");
  }
  if (table.contains("reason")) rule.reason = reader.text(table, "reason");
  return rule;
}

compare::Ratio read_ratio(const Reader& reader, const toml::table& table) {
  reader.known(table, {"name", "numerator", "denominator", "better"});
  compare::Ratio ratio;
  ratio.where = reader.where(table);
  ratio.name = reader.text(table, "name");
  ratio.numerator = reader.text(table, "numerator");
  ratio.denominator = reader.text(table, "denominator");
  ratio.better = reader.better(table).value_or(record::Better::higher);
  return ratio;
}

template <class Take>
void each_table(const Reader& reader, const toml::node& node, std::string_view key, Take take) {
  const toml::array* array = node.as_array();
  if (array == nullptr) reader.refuse(node, fmt::format("write [[{}]]", key));
  for (const toml::node& element : *array) {
    const toml::table* table = element.as_table();
    if (table == nullptr) reader.refuse(element, fmt::format("write [[{}]]", key));
    take(*table);
  }
}

// Where toml++ 3.3 expects anything else than the inside of a string, letters beyond ASCII lead it to code that its
// authors marked unreachable. Which bytes those are, only a parser can tell: so it sees none but in lines of comment.
void refuse_what_the_parser_cannot(std::string_view text, const std::string& name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  int line = 1;
  bool blank = true;  // so far in this line
  bool comment = false;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (each == '\n') {
      ++line;
      blank = true;
      comment = false;
      continue;
    }
    if ((byte < 0x20 && each != '\t' && each != '\r') || byte == 0x7F)
      throw RuleError(fmt::format("{}:{}: control character {:#04x}", record::printable(name), line, byte));
    if (blank && each == '#') comment = true;
    if (byte >= 0x80 && !comment)
      throw RuleError(fmt::format("{}:{}: ASCII only, but for lines of comment; write \\u00e9 for é in a string",
                                  record::printable(name), line));
    if (each != ' ' && each != '\t') blank = false;
  }
}

}  // namespace

compare::Rules read_rules(std::string_view text, const std::string& name) {
  refuse_what_the_parser_cannot(text, name);
  const Reader reader(name);
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw RuleError(fmt::format("{}:{}: {}", record::printable(name), error.source().begin.line,
                                record::printable(error.description())));
  }
  Rules rules;
  reader.known(root, {"defaults", "rule", "ratio"});
  for (const auto& [key, node] : root) {
    if (key.str() == "defaults") {
      if (!node.is_table()) reader.refuse(node, "write [defaults]");
      read_defaults(reader, *node.as_table(), rules);
    } else if (key.str() == "rule") {
      each_table(reader, node, "rule",
                 [&](const toml::table& table) { rules.rules.push_back(read_rule(reader, table)); });
    } else {
      each_table(reader, node, "ratio",
                 [&](const toml::table& table) { rules.ratios.push_back(read_ratio(reader, table)); });
    }
  }
  return rules;
}

}  // namespace ridge::inputs
