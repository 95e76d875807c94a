// Adds the shared options of the gate, and delivers what it found.
#include "cmd/gate_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cmd/output.hpp"
#include "cmd/present.hpp"
#include "reports/inputs/rule_file.hpp"
#include "reports/json/read.hpp"
#include "reports/json/write.hpp"
#include "reports/verdicts/verdicts.hpp"

namespace ridge::cmd {
namespace {

struct Output {
  std::string format;
  std::string file;  // "-" is stdout
};

Output output_of(const std::string& text) {
  const auto colon = text.find(':');
  const std::string format = text.substr(0, colon);
  const auto known = std::find(std::begin(verdicts::formats), std::end(verdicts::formats), format);
  if (colon == std::string::npos || colon + 1 == text.size() || known == std::end(verdicts::formats))
    throw bench::UsageError(
        fmt::format("--out: '{}' is not FORMAT:FILE with one of {}", text, fmt::join(verdicts::formats, ", ")));
  return {format, text.substr(colon + 1)};
}

}  // namespace

void add_gate_options(CLI::App& command, GateOptions& options) {
  const std::vector<std::string> formats(std::begin(verdicts::formats), std::end(verdicts::formats));
  command.add_option("--rules", options.rules, "tolerances and exceptions, TOML; see docs/ci.md")->type_name("FILE");
  command
      .add_option("--format", options.format,
                  "what stdout carries: table, json, markdown, junit, github or openmetrics (default table)")
      ->check(CLI::IsMember(formats));
  command.add_option("--out", options.out, "write the result to FILE too, in any of these formats; may be repeated")
      ->type_name("FORMAT:FILE")
      ->allow_extra_args(false);
  command.add_flag("--strict", options.strict, "undecided metrics fail: exit status 6");
  command.add_flag("--allow-different-machine", options.allow_different_machine,
                   "compare all the same, and say so in every output");
  command.add_flag("--all", options.all, "list the unchanged metrics too, however many there are");
}

compare::Options compare_options(const GateOptions& options) {
  compare::Options out;
  out.strict = options.strict;
  out.allow_different_machine = options.allow_different_machine;
  if (!options.rules.empty())
    out.rules = reading([&] {
      constexpr std::int64_t most = 1 << 20;
      return inputs::read_rules(json::read_text_file(options.rules, most), options.rules);
    });
  return out;
}

void check_gate_outputs(const GateOptions& options) {
  std::vector<std::string> files;
  for (const auto& each : options.out) files.push_back(output_of(each).file);
  require_outputs("--out", files);
}

record::Exit deliver(const compare::Comparison& comparison, const GateOptions& options) {
  const verdicts::Layout plain{100, false, options.all};
  std::vector<record::Exit> outcomes{comparison.exit()};
  bool shown = false;
  for (const auto& each : options.out) {
    const Output output = output_of(each);
    const std::string text = verdicts::as(output.format, comparison, plain);
    if (output.file == "-") {
      outcomes.push_back(write_stdout(text));
      shown = true;
      continue;
    }
    try {
      json::write_text_file(text, output.file);
    } catch (const std::runtime_error& error) {
      write_stderr(fmt::format("ridge: {}\n", error.what()));
      outcomes.push_back(record::Exit::usage);
    }
  }
  const verdicts::Layout terminal{static_cast<std::size_t>(width()), colour(), options.all};
  if (!shown) outcomes.push_back(write_stdout(verdicts::as(options.format, comparison, terminal)));
  return record::strongest(outcomes);
}

int parse_runs(const char* option, const std::string& text) {
  constexpr std::int64_t most = 1000;
  try {
    const std::int64_t runs = bench::parse_count(text);
    if (runs > most) throw bench::UsageError(fmt::format("{} is above the most, {}", runs, most));
    return static_cast<int>(runs);
  } catch (const bench::UsageError& error) {
    throw bench::UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace ridge::cmd
