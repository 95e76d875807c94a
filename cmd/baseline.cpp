// ridge baseline: save, list, show, diff and prune the reports that later ones are judged against.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cmd/commands.hpp"
#include "cmd/fresh.hpp"
#include "cmd/gate_options.hpp"
#include "cmd/output.hpp"
#include "cmd/signals.hpp"
#include "reports/baseline/store.hpp"
#include "reports/compare/median.hpp"
#include "reports/inputs/load.hpp"
#include "reports/json/read.hpp"
#include "reports/record/text.hpp"
#include "reports/verdicts/words.hpp"

namespace ridge::cmd {
namespace {

using baseline::Group;
using baseline::Store;
using record::Exit;

struct BaselineOptions {
  std::string store = "reports/baselines";
  std::string runs = "10";
  std::string workload;
  std::vector<std::string> allow;
  std::vector<std::string> from;
  std::vector<std::string> arguments;
  bool quiet = false;
  std::string which;  // MACHINE/WORKLOAD, or the beginning of one
  std::string last = "1";
  std::string keep;
  bool dry_run = false;
  GateOptions gate;
};

std::vector<Measured> read_all(const std::vector<std::string>& names) {
  std::vector<Measured> all;
  for (const auto& name : names)
    for (const auto& file : inputs::files_of(name)) {
      Measured measured;
      measured.text = json::read_text_file(file);
      measured.run = inputs::read_run(measured.text, file);
      all.push_back(std::move(measured));
    }
  return all;
}

// What forbids saving and was not allowed.
bool refused(const std::vector<Measured>& all, const BaselineOptions& options) {
  bool any = false;
  for (const Measured& each : all)
    for (const auto& objection : baseline::objections(each.run)) {
      if (std::find(options.allow.begin(), options.allow.end(), objection.kind) != options.allow.end()) continue;
      any = true;
      write_stderr(fmt::format("ridge: not saved: {}: {} (--allow {} saves it all the same)\n", each.run.source,
                               record::printable(objection.detail), objection.kind));
    }
  return any;
}

void warn_when_far(const Store& store, const std::vector<Measured>& all, const std::string& workload) {
  std::vector<std::string> names;
  for (const auto& file : store.files(baseline::machine_key(all.front().run.machine), workload))
    names.push_back(file.string());
  if (names.empty()) return;
  const auto comparison = compare::compare(inputs::load(names), runs_of(all), {});
  const auto far = comparison.count(compare::Verdict::regressed) + comparison.count(compare::Verdict::improved);
  if (far == 0) return;
  write_stderr(
      fmt::format("ridge: warning: far from the {} runs before: {}\n", names.size(), verdicts::headline(comparison)));
  for (const auto& row : comparison.rows)
    if (row.judgement.verdict == compare::Verdict::regressed || row.judgement.verdict == compare::Verdict::improved)
      write_stderr(fmt::format("ridge:   {} {}: {}\n", to_string(row.judgement.verdict), record::printable(row.name()),
                               verdicts::signed_percent(verdicts::change(row))));
}

Exit do_save(const BaselineOptions& options) {
  std::vector<Measured> all;
  if (!options.from.empty()) {
    all = reading([&] { return read_all(options.from); });
  } else {
    const int runs = parse_runs("--runs", options.runs);
    const SignalGuard guard;
    all = measure_runs(Program::ridge(options.arguments), runs, "baseline", "", options.quiet);
    if (signal_exit() != Exit::success) return signal_exit();
  }
  if (refused(all, options)) return Exit::not_comparable;
  const std::string workload = options.workload.empty() ? baseline::workload_key(all.front().run) : options.workload;
  Store store(options.store);
  reading([&] {
    warn_when_far(store, all, workload);
    return 0;
  });
  std::string said;
  for (const Measured& each : all) said += store.save(each.text, each.run, workload).string() + "\n";
  return write_stdout(said);
}

std::vector<Group> chosen_groups(const BaselineOptions& options) {
  auto groups = Store(options.store).list();
  std::erase_if(groups, [&](const Group& group) {
    return !(group.machine + "/" + group.workload).starts_with(options.which) &&
           !group.workload.starts_with(options.which);
  });
  return groups;
}

Exit none(const BaselineOptions& options) {
  write_stderr(fmt::format("ridge: no baseline {}in {}\n", options.which.empty() ? "" : options.which + " ",
                           record::printable(options.store)));
  return Exit::not_comparable;
}

Exit do_list(const BaselineOptions& options) {
  const auto groups = chosen_groups(options);
  if (groups.empty()) return none(options);
  std::string out;
  for (const Group& group : groups)
    out += fmt::format("{}/{}  {} run{}, {} to {}\n", group.machine, group.workload, group.files.size(),
                       group.files.size() == 1 ? "" : "s", group.files.front().stem().string(),
                       group.files.back().stem().string());
  return write_stdout(out);
}

std::vector<compare::Run> runs_of(const Group& group) {
  std::vector<std::string> names;
  for (const auto& file : group.files) names.push_back(file.string());
  return inputs::load(names);
}

Exit do_show(const BaselineOptions& options) {
  const auto groups = chosen_groups(options);
  if (groups.empty()) return none(options);
  std::string out;
  for (const Group& group : groups) {
    const auto runs = reading([&] { return runs_of(group); });
    out += fmt::format("{}/{}\n", group.machine, group.workload);
    for (const auto& run : runs)
      out +=
          record::printable(fmt::format("  {}  {}  {}  {}", run.started, run.tool, run.build_type, run.command)) + "\n";
    for (const auto& row : compare::align(runs, runs, {}))
      if (row.judged)
        out += record::printable(fmt::format("  {}: median {} of {} runs", row.name(),
                                             verdicts::figure(compare::median_of(row.series.base), row.unit),
                                             row.series.base.size())) +
               "\n";
  }
  return write_stdout(out);
}

Exit do_diff(const BaselineOptions& options) {
  const auto last = static_cast<std::size_t>(parse_runs("--last", options.last));
  const auto groups = chosen_groups(options);
  if (groups.empty()) return none(options);
  if (groups.size() > 1) throw bench::UsageError("more than one baseline matches; name one: ridge baseline list");
  check_gate_outputs(options.gate);
  const auto runs = reading([&] { return runs_of(groups.front()); });
  if (runs.size() <= last) {
    write_stderr(fmt::format("ridge: {} runs are too few to tell the last {} from the rest\n", runs.size(), last));
    return Exit::not_comparable;
  }
  const std::span all(runs);
  const auto comparison = reading(
      [&] { return compare::compare(all.first(runs.size() - last), all.last(last), compare_options(options.gate)); });
  return deliver(comparison, options.gate);
}

Exit do_prune(const BaselineOptions& options) {
  const int keep = parse_runs("--keep", options.keep);
  if (chosen_groups(options).empty()) return none(options);
  std::string out;
  for (const auto& path : Store(options.store).prune(static_cast<std::size_t>(keep), options.dry_run))
    out += path.string() + "\n";
  return write_stdout(out);
}

CLI::App* add(CLI::App& parent, const char* name, const char* help, BaselineOptions& options) {
  CLI::App* command = parent.add_subcommand(name, help);
  command->add_option("--store", options.store, "folder of the baselines (default reports/baselines)")
      ->type_name("DIR");
  return command;
}

void add_save(CLI::App& parent, BaselineOptions& options) {
  CLI::App* command = add(parent, "save", "measure in fresh processes and keep the reports", options);
  command->add_option("--runs", options.runs, "processes (default 10)");
  command->add_option("--workload", options.workload, "name in the store (default: from the command)");
  command->add_option("--allow", options.allow, "save runs that are interrupted, suspect, oversubscribed or debug")
      ->check(CLI::IsMember({"interrupted", "suspect", "oversubscribed", "debug"}))
      ->allow_extra_args(false);
  command->add_option("--from", options.from, "save these reports instead of measuring; may be repeated")
      ->type_name("PATH")
      ->allow_extra_args(false);
  command->add_flag("--quiet", options.quiet, "no progress on stderr");
  command->add_option("arguments", options.arguments, "behind --: what to measure (default run --suite ci)");
}

}  // namespace

void add_baseline(CLI::App& app, const Invocation&, Action& chosen) {
  auto options = std::make_shared<BaselineOptions>();
  CLI::App* command = app.add_subcommand("baseline", "keep reports that later ones are judged against");
  command->require_subcommand(1);
  add_save(*command, *options);
  CLI::App* list = add(*command, "list", "machines and workloads in the store", *options);
  list->add_option("which", options->which, "MACHINE/WORKLOAD or its beginning");
  CLI::App* show = add(*command, "show", "runs with their provenance, and medians", *options);
  show->add_option("which", options->which, "MACHINE/WORKLOAD or its beginning");
  CLI::App* diff = add(*command, "diff", "judge the newest runs against those before", *options);
  diff->add_option("which", options->which, "MACHINE/WORKLOAD or its beginning");
  diff->add_option("--last", options->last, "runs that count as new (default 1)");
  add_gate_options(*diff, options->gate);
  CLI::App* prune = add(*command, "prune", "remove all but the newest runs of each baseline", *options);
  prune->add_option("--keep", options->keep, "runs to keep")->required();
  prune->add_flag("--dry-run", options->dry_run, "say what would be removed");
  const auto on = [&](const char* name, Exit (*work)(const BaselineOptions&)) {
    command->get_subcommand(name)->callback(
        [&chosen, options, work] { chosen = [options, work] { return work(*options); }; });
  };
  on("save", do_save);
  on("list", do_list);
  on("show", do_show);
  on("diff", do_diff);
  on("prune", do_prune);
}

}  // namespace ridge::cmd
