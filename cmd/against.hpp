// ridge run … --against STORE: measure and judge in one command.
#pragma once

#include "cmd/commands.hpp"
#include "cmd/gate_options.hpp"

namespace ridge::cmd {

struct AgainstOptions {
  GateOptions gate;
  std::string store;  // empty: no gate
  std::string workload;
  std::string runs = "3";
  std::string retry = "0";
  std::string keep;  // a folder for the reports of all tries
};

// All but --format, which the command has of its own.
void add_against_options(CLI::App& command, AgainstOptions& options);

// Measures with the invocation's own arguments less those above, in fresh processes.
record::Exit do_against(const Invocation& invocation, const AgainstOptions& options, bool quiet);

}  // namespace ridge::cmd
