// ridge explain: what a benchmark measures and how its figure comes about, with this machine's own figures where there
// are any.
#include <fmt/format.h>

#include <memory>

#include "bench/harness/plan.hpp"
#include "cmd/commands.hpp"
#include "cmd/counted.hpp"
#include "cmd/derivation.hpp"
#include "cmd/output.hpp"
#include "reports/report_store/report_store.hpp"

namespace ridge::cmd {
namespace {

struct ExplainOptions {
  std::vector<std::string> benchmarks;
};

std::string section(const std::string& title, const std::string& text, int columns) {
  return text.empty() ? "" : title + "\n" + wrap(text, 2, columns) + "\n";
}

std::string figures(const bench::Definition& definition, int columns) {
  const report_store::Place place = report_store::default_folder();
  const auto found = place.path ? report_store::newest_with(definition.name, *place.path) : std::nullopt;
  if (!found)
    return section("On this machine",
                   fmt::format("No stored report holds it yet: ridge {} measures it.", definition.family()), columns);
  std::string text = fmt::format("On this machine ({})\n", found->report.started);
  for (const record::Record& record : found->report.records)
    if (record.benchmark == definition.name) text += wrap(derivation(record), 2, columns) + "\n";
  return text;
}

std::string explain(const bench::Registry& registry, const bench::Definition& definition, int columns) {
  const bench::Explanation& e = definition.explanation;
  return fmt::format("{}: {}\n\n", definition.name, definition.summary) +
         section("What it measures", e.measures, columns) + section("Formula", e.formula, columns) +
         section("What is counted", e.counting, columns) + section("How to spoil it", e.spoil, columns) +
         section("What is normal", e.normal, columns) + counted_beside_predicted(registry, definition) +
         figures(definition, columns);
}

record::Exit do_explain(const Invocation& invocation, const ExplainOptions& options) {
  std::string text;
  for (const std::string& pattern : options.benchmarks)
    for (const bench::Definition* definition : bench::match(*invocation.registry, pattern)) {
      if (!text.empty()) text += "\n";
      text += explain(*invocation.registry, *definition, width());
    }
  return write_stdout(text);
}

}  // namespace

void add_explain(CLI::App& app, const Invocation& invocation, Action& chosen) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "say what a benchmark measures, its formula, and this machine's figures");
  command->add_option("BENCHMARK", options->benchmarks, "names, families or patterns with *")->required();
  command->callback([&invocation, &chosen, options] {
    chosen = [&invocation, options] { return do_explain(invocation, *options); };
  });
}

}  // namespace ridge::cmd
