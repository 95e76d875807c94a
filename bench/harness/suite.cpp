// Suites out of TOML.
#define TOML_EXCEPTIONS 1
#include "bench/harness/suite.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>

namespace ridge::bench {
namespace {

[[noreturn]] void refuse(const std::string& suite, const toml::node& node, const std::string& why) {
  throw UsageError(fmt::format("suite {}, line {}: {}", suite, node.source().begin.line, why));
}

std::string expression(const std::string& suite, const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  refuse(suite, node, "an axis takes a string or a whole number");
}

Request parse_request(const std::string& suite, const toml::table& table) {
  Request request;
  for (const auto& [key, node] : table) {
    if (key == "on") {
      request.on = expression(suite, node);
      if (request.on != "cpu" && request.on != "gpu") refuse(suite, node, "on is \"cpu\" or \"gpu\"");
      continue;
    }
    if (key != "benchmarks") {
      request.axes[std::string(key.str())] = expression(suite, node);
      continue;
    }
    const toml::array* names = node.as_array();
    if (!names) refuse(suite, node, "benchmarks is a list of names");
    for (const toml::node& name : *names) request.benchmarks.push_back(expression(suite, name));
  }
  if (request.benchmarks.empty()) refuse(suite, table, "a request names no benchmarks");
  return request;
}

bool names_file(const std::string& name) {
  return name.ends_with(".toml") || name.find('/') != std::string::npos;
}

constexpr std::size_t largest_file = 1 << 20;

std::string text_of_file(const std::string& path) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string text(largest_file + 1, '\0');
  if (in) in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || !in.is_open())
    throw UsageError(fmt::format("--suite: cannot read {}: {}", path, std::strerror(errno ? errno : EIO)));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > largest_file) throw UsageError(fmt::format("--suite: {} is larger than 1 MiB: no suite", path));
  return text;
}

}  // namespace

Suite parse_suite(const std::string& name, std::string_view text) {
  Suite suite;
  suite.name = name;
  try {
    const toml::table root = toml::parse(text);
    for (const auto& [key, node] : root) {
      if (key == "description") {
        suite.description = expression(name, node);
      } else if (key == "rounds") {
        suite.rounds = static_cast<int>(parse_count(expression(name, node)));
      } else if (key == "min_time") {
        suite.min_time = parse_seconds(expression(name, node));
      } else if (key == "request" && node.is_array_of_tables()) {
        for (const toml::node& request : *node.as_array())
          suite.requests.push_back(parse_request(name, *request.as_table()));
      } else {
        refuse(name, node, fmt::format("unknown key '{}'", std::string_view(key.str())));
      }
    }
  } catch (const toml::parse_error& error) {
    throw UsageError(fmt::format("suite {}, line {}: {}", name, error.source().begin.line, error.description()));
  }
  if (suite.requests.empty()) throw UsageError(fmt::format("suite {} holds no [[request]]", name));
  return suite;
}

Suite part_of(const Suite& suite, const Registry& registry, const std::vector<std::string>& wanted) {
  std::set<const Definition*> chosen;
  for (const std::string& pattern : wanted)
    for (const Definition* definition : match(registry, pattern)) chosen.insert(definition);
  Suite part = suite;
  part.requests.clear();
  for (Request request : suite.requests) {
    std::vector<std::string> kept;
    for (const std::string& pattern : request.benchmarks)
      for (const Definition* definition : match(registry, pattern))
        if (chosen.contains(definition)) kept.push_back(definition->name);
    if (kept.empty()) continue;
    request.benchmarks = std::move(kept);
    part.requests.push_back(std::move(request));
  }
  if (part.requests.empty())
    throw UsageError(fmt::format("--suite: {} measures nothing of {}", suite.name, fmt::join(wanted, ", ")));
  return part;
}

Suite find_suite(const std::string& name, const SuiteSources& sources) {
  if (names_file(name)) return parse_suite(name, text_of_file(name));
  std::vector<std::string> names;
  for (const auto& [known, text] : sources) {
    if (known == name) return parse_suite(name, text);
    names.push_back(known);
  }
  throw UsageError(fmt::format("--suite: there is no suite '{}'; there are {}, and files that end in .toml", name,
                               fmt::join(names, ", ")));
}

}  // namespace ridge::bench
