// Measures, judges against the store, and measures again what alarmed or could not be decided.
#include "cmd/against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "bench/harness/parse.hpp"
#include "cmd/fresh.hpp"
#include "cmd/output.hpp"
#include "cmd/signals.hpp"
#include "reports/baseline/store.hpp"
#include "reports/inputs/load.hpp"
#include "reports/record/text.hpp"

namespace ridge::cmd {
namespace {

using compare::Comparison;
using compare::Row;
using compare::Run;
using compare::Verdict;

// The arguments of the measuring processes: ours without what belongs to the gate.
std::vector<std::string> measuring(const std::vector<std::string>& arguments) {
  const std::set<std::string> with_value{"--against", "--runs", "--retry",    "--keep",
                                         "--rules",   "--out",  "--workload", "--format"};
  const std::set<std::string> flags{"--strict", "--allow-different-machine", "--all", "--quiet"};
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string name = arguments[i].substr(0, arguments[i].find('='));
    if (flags.contains(name)) continue;
    if (!with_value.contains(name))
      kept.push_back(arguments[i]);
    else if (name == arguments[i])
      ++i;
  }
  return kept;
}

void tell_no_baseline(const std::string& what, const std::vector<std::string>& arguments, const std::string& store) {
  std::string command;
  for (const auto& each : arguments) command += " " + each;
  write_stderr(
      record::printable(fmt::format("ridge: no baseline{} in {}; make one with: ridge baseline save --store {} --{}",
                                    what, store, store, command)) +
      "\n");
}

// The baseline of this machine and workload; else that of another machine, which the comparison will refuse by name.
std::vector<Run> baseline_for(const Run& run, const std::vector<std::string>& arguments,
                              const AgainstOptions& options) {
  const baseline::Store store(options.store);
  const std::string machine = baseline::machine_key(run.machine);
  const std::string workload = options.workload.empty() ? baseline::workload_key(run) : options.workload;
  auto files = store.files(machine, workload);
  const auto groups = store.list();
  if (files.empty())
    for (const auto& group : groups)
      if (group.workload == baseline::key_of(workload)) files = group.files;
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.string());
  if (!names.empty()) return inputs::load(names);
  tell_no_baseline(fmt::format(" of {} for {}", workload, machine), arguments, options.store);
  for (const auto& group : groups)
    write_stderr(fmt::format("ridge:   there is {}/{} ({} runs)\n", group.machine, group.workload, group.files.size()));
  return {};
}

bool asks_again(const Row& row) {
  return row.gated && (row.judgement.verdict == Verdict::regressed || row.judgement.verdict == Verdict::undecided);
}

// Command lines that measure these rows alone; none when one of them has no such line.
std::vector<std::string> lines_for(const std::vector<Row>& rows) {
  std::vector<std::string> lines;
  for (const Row& row : rows) {
    if (!asks_again(row)) continue;
    if (row.reproduce.empty()) return {};
    if (std::find(lines.begin(), lines.end(), row.reproduce) == lines.end()) lines.push_back(row.reproduce);
  }
  return lines;
}

Program program_of(const std::string& line) {
  auto words = split_words(line);
  if (!words.empty()) words.erase(words.begin());  // "ridge"
  return Program::ridge(std::move(words));
}

// One run that holds what the lines measure, each in a process of its own.
std::vector<Run> measure_again(const std::vector<std::string>& lines, const std::vector<std::string>& everything,
                               int runs, int attempt, const AgainstOptions& options, bool quiet) {
  const std::string what = fmt::format("try-{}", attempt);
  if (lines.empty()) return runs_of(measure_runs(Program::ridge(everything), runs, what, options.keep, quiet));
  std::vector<Run> merged;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto part =
        runs_of(measure_runs(program_of(lines[i]), runs, fmt::format("{}-case-{}", what, i + 1), options.keep, quiet));
    for (std::size_t k = 0; k < part.size(); ++k) {
      if (k == merged.size())
        merged.push_back(part[k]);
      else
        merged[k].cases.insert(merged[k].cases.end(), part[k].cases.begin(), part[k].cases.end());
    }
  }
  return merged;
}

// An alarm must be confirmed by new data alone; what was undecided gets more data.
void take_in(std::vector<Run>& fresh, std::vector<Run> again, const std::vector<Row>& rows) {
  std::set<std::string> asked;
  std::set<std::string> alarmed;
  for (const Row& row : rows) {
    if (asks_again(row)) asked.insert(row.id);
    if (asks_again(row) && row.judgement.verdict == Verdict::regressed) alarmed.insert(row.id);
  }
  for (Run& run : fresh) std::erase_if(run.cases, [&](const compare::Case& each) { return alarmed.contains(each.id); });
  for (Run& run : again) {
    std::erase_if(run.cases, [&](const compare::Case& each) { return !asked.contains(each.id); });
    fresh.push_back(std::move(run));
  }
}

}  // namespace

void add_against_options(CLI::App& command, AgainstOptions& options) {
  CLI::Option* const against =
      command.add_option("--against", options.store, "judge the result against this baseline store")
          ->type_name("STORE");
  const auto option = [&](const char* name, auto& to, const char* help) {
    return command.add_option(name, to, std::string("with --against: ") + help)
        ->needs(against)
        ->allow_extra_args(false);
  };
  const auto flag = [&](const char* name, bool& to, const char* help) {
    command.add_flag(name, to, std::string("with --against: ") + help)->needs(against);
  };
  option("--runs", options.runs, "fresh processes to measure (default 3)");
  option("--retry", options.retry, "measure up to N times again what alarmed or is undecided (default 0)");
  option("--keep", options.keep, "keep the reports of all tries in DIR")->type_name("DIR");
  option("--workload", options.workload, "name of the workload in the store");
  option("--rules", options.gate.rules, "tolerances and exceptions, TOML")->type_name("FILE");
  option("--out", options.gate.out, "write the verdicts to FILE; may be repeated")->type_name("FORMAT:FILE");
  flag("--strict", options.gate.strict, "undecided metrics fail");
  flag("--allow-different-machine", options.gate.allow_different_machine, "compare all the same");
  flag("--all", options.gate.all, "list the unchanged metrics too");
}

record::Exit do_against(const Invocation& invocation, const AgainstOptions& options, bool quiet) {
  const int runs = parse_runs("--runs", options.runs);
  const int retry = options.retry == "0" ? 0 : parse_runs("--retry", options.retry);
  check_gate_outputs(options.gate);
  const auto settings = compare_options(options.gate);
  const auto arguments = measuring(invocation.arguments);
  if (baseline::Store(options.store).list().empty()) {  // found before minutes of measuring
    tell_no_baseline("", arguments, options.store);
    return record::Exit::not_comparable;
  }

  const SignalGuard guard;
  auto fresh = runs_of(measure_runs(Program::ridge(arguments), runs, "try-1", options.keep, quiet));
  if (signal_exit() != record::Exit::success) return signal_exit();
  const auto base = reading([&] { return baseline_for(fresh.front(), arguments, options); });
  if (base.empty()) return record::Exit::not_comparable;
  Comparison comparison = reading([&] { return compare::compare(base, fresh, settings); });
  int tries = 1;
  while (tries <= retry && std::any_of(comparison.rows.begin(), comparison.rows.end(), asks_again)) {
    ++tries;
    auto again = measure_again(lines_for(comparison.rows), arguments, runs, tries, options, quiet);
    if (signal_exit() != record::Exit::success) return signal_exit();
    take_in(fresh, std::move(again), comparison.rows);
    comparison = reading([&] { return compare::compare(base, fresh, settings); });
  }
  if (tries > 1)
    comparison.notes.push_back(
        fmt::format("measured in {} tries of {} runs: what alarmed counts by its last try", tries, runs));
  return deliver(comparison, options.gate);
}

}  // namespace ridge::cmd
