// What the subcommands are to the application: each adds itself to the parser and leaves what to do when it was chosen.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

#include "bench/harness/registry.hpp"
#include "reports/record/status.hpp"

namespace ridge::cmd {

// What every command may look at.
struct Invocation {
  std::string line;                    // as typed, quoted for a shell
  std::vector<std::string> arguments;  // the same in words, without the program
  const bench::Registry* registry = nullptr;
};

using Action = std::function<record::Exit()>;

// Each returns nothing but sets `chosen` when its subcommand is parsed; the options it needs live in the action.
void add_run(CLI::App& app, const Invocation& invocation, Action& chosen);
void add_families(CLI::App& app, const Invocation& invocation,
                  Action& chosen);  // one subcommand per family in the registry
void add_info(CLI::App& app, const Invocation& invocation, Action& chosen);
void add_list(CLI::App& app, const Invocation& invocation, Action& chosen);
void add_explain(CLI::App& app, const Invocation& invocation, Action& chosen);
void add_compare(CLI::App& app, const Invocation& invocation, Action& chosen);
void add_baseline(CLI::App& app, const Invocation& invocation, Action& chosen);
void add_noise(CLI::App& app, const Invocation& invocation, Action& chosen);
void add_ab(CLI::App& app, const Invocation& invocation, Action& chosen);

}  // namespace ridge::cmd
