// ridge noise: repeated runs of the same thing, and which metrics a gate can be built on.
#include <fmt/format.h>

#include <memory>

#include "cmd/commands.hpp"
#include "cmd/fresh.hpp"
#include "cmd/gate_options.hpp"
#include "cmd/output.hpp"
#include "cmd/signals.hpp"
#include "reports/inputs/load.hpp"
#include "reports/verdicts/noise_text.hpp"

namespace ridge::cmd {
namespace {

struct NoiseOptions {
  std::string runs = "10";
  std::string fresh = "3";
  std::string rules;
  std::string format = "table";
  std::string keep;
  bool quiet = false;
  std::vector<std::string> from;
  std::vector<std::string> arguments;
};

record::Exit do_noise(const NoiseOptions& options) {
  require_stdout();
  GateOptions gate;
  gate.rules = options.rules;
  const auto settings = compare_options(gate);
  const int planned = parse_runs("--new", options.fresh);
  std::vector<compare::Run> runs;
  if (!options.from.empty()) {
    runs = reading([&] { return inputs::load(options.from); });
  } else {
    const int count = parse_runs("--runs", options.runs);
    const SignalGuard guard;
    runs = runs_of(measure_runs(Program::ridge(options.arguments), count, "noise", options.keep, options.quiet));
    if (signal_exit() != record::Exit::success) return signal_exit();
  }
  const auto report = reading(
      [&] { return compare::noise(runs, settings.rules, settings.settings, static_cast<std::size_t>(planned)); });
  const auto written =
      write_stdout(options.format == "json" ? verdicts::noise_json(report)
                                            : verdicts::noise_table(report, static_cast<std::size_t>(width())));
  return report.metrics.empty() ? record::Exit::nothing_ran : written;
}

}  // namespace

void add_noise(CLI::App& app, const Invocation&, Action& chosen) {
  auto options = std::make_shared<NoiseOptions>();
  CLI::App* command =
      app.add_subcommand("noise", "measure the same thing repeatedly: how noisy is each metric, and can it be gated?");
  command->add_option("--runs", options->runs, "fresh processes (default 10)");
  command->add_option("--new", options->fresh, "runs that a later gate would measure (default 3)");
  command->add_option("--from", options->from, "read these reports instead of measuring; may be repeated")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command->add_option("--rules", options->rules, "tolerances, TOML")->type_name("FILE");
  command->add_option("--keep", options->keep, "keep the reports in DIR")->type_name("DIR");
  command->add_option("--format", options->format, "table or json (default table)")
      ->check(CLI::IsMember({"table", "json"}));
  command->add_flag("--quiet", options->quiet, "no progress on stderr");
  command->add_option("arguments", options->arguments, "behind --: what to measure (default run --suite ci)");
  command->callback([&chosen, options] { chosen = [options] { return do_noise(*options); }; });
}

}  // namespace ridge::cmd
