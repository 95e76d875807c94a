// ridge run: a suite on this machine, in one screen.
#include <memory>

#include "bench/harness/suite.hpp"
#include "cmd/measure.hpp"

namespace ridge::cmd {
namespace {

struct RunOptions {
  MeasureOptions measure;
  std::string suite = "quick";
  std::string threads;
};

record::Exit do_run(const Invocation& invocation, const RunOptions& options) {
  bench::Suite suite = bench::find_suite(options.suite, bench::suite_sources());
  bench::Settings settings;
  settings.rounds = suite.rounds;
  settings.min_time = suite.min_time;
  settings = settings_of(options.measure, settings);
  if (!options.threads.empty())
    for (bench::Request& request : suite.requests) request.axes["threads"] = options.threads;
  return measure(invocation, "run", options.measure, std::move(suite.requests), true, settings, View::summary);
}

}  // namespace

void add_run(CLI::App& app, const Invocation& invocation, Action& chosen) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "measure this machine with a suite, and say how it did");
  command->add_option("--suite", options->suite, "quick, ci or node; ridge list shows them (default quick)");
  command->add_option("--threads", options->threads, "CPU threads, in place of the suite's; numbers, ranges, lists");
  add_measure_options(*command, options->measure);
  command->callback(
      [&invocation, &chosen, options] { chosen = [&invocation, options] { return do_run(invocation, *options); }; });
}

}  // namespace ridge::cmd
