// ridge run: a suite on this machine, in one screen.
#include <fmt/format.h>

#include <memory>

#include "bench/harness/suite.hpp"
#include "cmd/against.hpp"
#include "cmd/measure.hpp"
#include "cmd/output.hpp"
#include "cmd/processes.hpp"

namespace ridge::cmd {
namespace {

struct RunOptions {
  MeasureOptions measure;
  AgainstOptions against;
  std::string suite = "quick";
  std::string threads;
};

// The gate has formats of its own, and measures in processes that are told nothing of it.
record::Exit gate(const Invocation& invocation, const RunOptions& options) {
  if (!options.measure.json.empty())
    throw bench::UsageError("--json and --against exclude each other; give --keep DIR");
  if (options.measure.format == "csv")
    throw bench::UsageError("--format csv is not for --against; give --out FORMAT:FILE");
  AgainstOptions against = options.against;
  against.gate.format = options.measure.format;
  return do_against(invocation, against, options.measure.quiet);
}

bool has_axis(const bench::Registry& registry, const bench::Request& request, const std::string& name) {
  for (const std::string& pattern : request.benchmarks)
    for (const bench::Definition* definition : bench::match(registry, pattern))
      for (const bench::Axis& axis : definition->axes)
        if (axis.name == name) return true;
  return false;
}

record::Exit do_run(const Invocation& invocation, const RunOptions& options) {
  const auto several = one_of_several();
  if (several && several->stands_back) {
    if (!options.measure.quiet) write_stderr(fmt::format("ridge: {}\n", several->line));
    return record::Exit::success;
  }
  if (!options.against.store.empty()) return gate(invocation, options);
  bench::Suite suite = bench::find_suite(options.suite, bench::suite_sources());
  const bench::Settings settings = settings_of(options.measure, settings_of(suite));
  if (!options.threads.empty())
    for (bench::Request& request : suite.requests)
      if (has_axis(*invocation.registry, request, "threads")) request.axes["threads"] = options.threads;
  return measure(invocation, "run", options.measure, std::move(suite.requests), true, settings, View::summary,
                 [&several](record::Report& report) {
                   if (several) report.findings.push_back(several->finding);
                 });
}

}  // namespace

void add_run(CLI::App& app, const Invocation& invocation, Action& chosen) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "measure this machine with a suite, and say how it did");
  command->add_option("--suite", options->suite,
                      "quick, ci, node (ridge list shows them), or a TOML file of your own (default quick)");
  command->add_option("--threads", options->threads, "CPU threads, in place of the suite's; numbers, ranges, lists");
  add_measure_options(*command, options->measure);
  add_against_options(*command, options->against);
  command->callback(
      [&invocation, &chosen, options] { chosen = [&invocation, options] { return do_run(invocation, *options); }; });
}

}  // namespace ridge::cmd
