// Builds the parser, and turns what goes wrong in it into one clear line and exit status 2.
#include "cmd/app.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <vector>

#include "bench/harness/parse.hpp"
#include "bench/harness/reproduce.hpp"
#include "cmd/commands.hpp"
#include "cmd/output.hpp"
#include "ridge_version.hpp"

namespace ridge::cmd {
namespace {

using record::Exit;

constexpr const char* footer =
    "Exit status:\n"
    "  0    all that was asked for was measured, or the gate passed\n"
    "  1    a regression, a wrong answer, or an unhealthy verdict\n"
    "  2    usage: bad arguments, unreadable or malformed file, output not writable\n"
    "  3    not comparable: other machine, unit, workload, or no baseline\n"
    "  4    a measurement failed: device error, time-out, out of memory\n"
    "  5    nothing ran: no match, or everything skipped\n"
    "  6    undecided: the data cannot tell (gate)\n"
    "  130, 143  interrupted; the partial report is valid and says so\n"
    "With several, the first of 2, 1, 4, 3, 6, 5 counts; a signal overrides.\n";

std::string version_text() {
  std::string text =
      fmt::format("ridge {} ({}, {} build, {}", build::version, build::commit, build::type, build::compiler);
  if (*build::sanitizers) text += fmt::format(", sanitizers {}", build::sanitizers);
  text += *build::cuda_architectures ? fmt::format(", CUDA {}", build::cuda_architectures) : ", no CUDA kernels";
  return text + ")";
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

// What to say of arguments that nothing took: an unknown option of the chosen subcommand, or an unknown subcommand.
std::string describe_extras(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  for (const std::string& extra : app.remaining(true)) {
    if (extra.starts_with("-")) {
      const std::string name = extra.substr(0, extra.find('='));
      const CLI::App& owner = chosen.empty() ? app : *chosen.front();
      return fmt::format("unknown option {}{}; see {} --help", name, bench::did_you_mean(name, option_names(owner)),
                         chosen.empty() ? "ridge" : "ridge " + owner.get_name());
    }
    if (chosen.empty())
      return fmt::format("there is no command '{}'{}; see ridge --help", extra,
                         bench::did_you_mean(extra, subcommand_names(app)));
    return fmt::format("unexpected argument '{}'; see ridge {} --help", extra, chosen.front()->get_name());
  }
  return "unexpected arguments; see ridge --help";
}

// Of the subcommand that was named, or the subcommand of that.
std::string help_of_chosen(const CLI::App& app) {
  const CLI::App* chosen = &app;
  std::string path;
  while (!chosen->get_subcommands().empty()) {
    path += (path.empty() ? "" : " ") + chosen->get_name();
    chosen = chosen->get_subcommands().front();
  }
  return path.empty() ? chosen->help() : chosen->help(path);
}

Exit parse_and_run(CLI::App& app, Action& chosen, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return write_stdout(help_of_chosen(app));
  } catch (const CLI::CallForVersion&) {
    return write_stdout(version_text() + "\n");
  } catch (const CLI::ExtrasError&) {
    throw bench::UsageError(describe_extras(app));
  } catch (const CLI::ParseError& error) {
    throw bench::UsageError(error.what());
  }
  if (!chosen) {
    write_stderr(app.help());
    return Exit::usage;
  }
  return chosen();
}

std::string command_line(int argc, char** argv) {
  std::string line = "ridge";  // whatever the path it was started by
  for (int i = 1; i < argc; ++i) line += " " + bench::shell_word(argv[i]);
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of the write, which knows what was lost
  try {
    const bench::Registry registry = bench::make_registry();
    const Invocation invocation{command_line(argc, argv), {argv + 1, argv + argc}, &registry};
    CLI::App app{
        "Measures how fast this machine's GPUs and CPUs are, proves the numbers, and tells whether they got worse."};
    app.name("ridge");
    app.footer(footer);
    app.set_version_flag("--version", version_text());
    app.get_formatter()->column_width(26);
    app.require_subcommand(0, 1);
    Action chosen;
    add_run(app, invocation, chosen);
    add_families(app, invocation, chosen);
    add_info(app, invocation, chosen);
    add_list(app, invocation, chosen);
    add_explain(app, invocation, chosen);
    add_compare(app, invocation, chosen);
    add_baseline(app, invocation, chosen);
    add_noise(app, invocation, chosen);
    add_ab(app, invocation, chosen);
    return static_cast<int>(parse_and_run(app, chosen, argc, argv));
  } catch (const bench::UsageError& error) {
    write_stderr(fmt::format("ridge: {}\n", error.what()));
    return static_cast<int>(Exit::usage);
  } catch (const std::exception& error) {
    write_stderr(fmt::format("ridge: {}\n", error.what()));
    return static_cast<int>(Exit::failed);
  }
}

}  // namespace ridge::cmd
