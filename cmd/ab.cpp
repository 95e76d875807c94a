// ridge ab: two programs, interleaved in random order on one machine, judged as baseline and new.
#include <fmt/format.h>

#include <memory>
#include <random>

#include "cmd/commands.hpp"
#include "cmd/fresh.hpp"
#include "cmd/gate_options.hpp"
#include "cmd/output.hpp"
#include "cmd/signals.hpp"

namespace ridge::cmd {
namespace {

struct AbOptions {
  GateOptions gate;
  std::string a;
  std::string b;
  std::string runs = "10";
  std::uint64_t seed = 1;
  std::string keep;
  bool quiet = false;
  std::vector<std::string> arguments;
};

record::Exit do_ab(const AbOptions& options) {
  const int pairs = parse_runs("--runs", options.runs);
  check_gate_outputs(options.gate);
  const auto settings = compare_options(options.gate);
  const Program a = Program::of(options.a, options.arguments);
  const Program b = Program::of(options.b, options.arguments);
  std::vector<compare::Run> base;
  std::vector<compare::Run> fresh;
  std::mt19937_64 random(options.seed);
  const SignalGuard guard;
  for (int i = 1; i <= pairs; ++i) {
    // In each pair by the toss of a coin: a drift of the machine falls on both sides alike.
    const bool a_first = random() % 2 == 0;
    for (const bool of_a : {a_first, !a_first}) {
      const auto measured = reading([&] {
        return measure_runs(of_a ? a : b, 1, fmt::format("{}-{:02}", of_a ? "a" : "b", i), options.keep, options.quiet);
      });
      if (signal_exit() != record::Exit::success) return signal_exit();
      (of_a ? base : fresh).push_back(measured.front().run);
    }
  }
  return deliver(reading([&] { return compare::compare(base, fresh, settings); }), options.gate);
}

}  // namespace

void add_ab(CLI::App& app, const Invocation&, Action& chosen) {
  auto options = std::make_shared<AbOptions>();
  CLI::App* command = app.add_subcommand("ab", "is program B slower than A? both interleaved on this machine");
  command->add_option("--a", options->a, "a program or command line: Ridge, a Google Benchmark program, or with {out}")
      ->required()
      ->type_name("BIN_OR_CMD");
  command->add_option("--b", options->b, "the one to judge")->required()->type_name("BIN_OR_CMD");
  command->add_option("--runs", options->runs, "processes of each (default 10)");
  command->add_option("--seed", options->seed, "of the order (default 1)");
  command->add_option("--keep", options->keep, "keep the reports in DIR")->type_name("DIR");
  command->add_flag("--quiet", options->quiet, "no progress on stderr");
  add_gate_options(*command, options->gate);
  command->add_option("arguments", options->arguments, "behind --: arguments of both");
  command->callback([&chosen, options] { chosen = [options] { return do_ab(*options); }; });
}

}  // namespace ridge::cmd
