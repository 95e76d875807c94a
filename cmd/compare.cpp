// ridge compare: two sets of reports, judged. It reads, and writes nothing but its outputs.
#include <memory>

#include "cmd/commands.hpp"
#include "cmd/gate_options.hpp"
#include "reports/inputs/load.hpp"

namespace ridge::cmd {
namespace {

struct CompareOptions {
  GateOptions gate;
  std::vector<std::string> both;
  std::vector<std::string> base;
  std::vector<std::string> fresh;
};

record::Exit do_compare(CompareOptions options) {
  if (!options.both.empty()) {
    if (options.both.size() != 2)
      throw bench::UsageError("give BASE and NEW, one of each (quote a glob), or repeat --base and --new");
    options.base.insert(options.base.begin(), options.both[0]);
    options.fresh.insert(options.fresh.begin(), options.both[1]);
  }
  if (options.base.empty()) throw bench::UsageError("no baseline: give BASE, or --base");
  if (options.fresh.empty()) throw bench::UsageError("nothing to judge: give NEW, or --new");
  check_gate_outputs(options.gate);
  const auto settings = compare_options(options.gate);
  const auto comparison = reading([&] {
    const auto [base, fresh] = inputs::load_sides(options.base, options.fresh);
    return compare::compare(base, fresh, settings);
  });
  return deliver(comparison, options.gate);
}

}  // namespace

void add_compare(CLI::App& app, const Invocation&, Action& chosen) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", "judge new reports against a baseline: did anything get worse?");
  command->add_option("reports", options->both, "BASE and NEW: each a report, a folder of them, or a quoted glob");
  command->add_option("--base", options->base, "reports of the baseline; may be repeated")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command->add_option("--new", options->fresh, "reports to judge; may be repeated")
      ->type_name("PATH")
      ->allow_extra_args(false);
  add_gate_options(*command, options->gate);
  command->callback([&chosen, options] { chosen = [options] { return do_compare(*options); }; });
}

}  // namespace ridge::cmd
